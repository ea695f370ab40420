package rpc

import (
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"unicode"
)

var (
	methodName  = regexp.MustCompile(`^[a-zA-Z0-9_.-]{1,128}$`)
	groupName   = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,63}$`)
	closureName = regexp.MustCompile(`^(func)?\d+$|^glob\.$`)
)

// lowerCamel is a Go name as methods are called: GetURL is getURL, ID is id,
// HTTPServer is httpServer.
func lowerCamel(name string) string {
	runes := []rune(name)
	for i := range runes {
		if !unicode.IsUpper(runes[i]) {
			break
		}
		if i > 0 && i+1 < len(runes) && unicode.IsLower(runes[i+1]) {
			break
		}
		runes[i] = unicode.ToLower(runes[i])
	}
	return string(runes)
}

// function says what a func value is called in its source.
type function struct {
	name     string // Search, add; empty for closures and generic instances
	pkg      string // path of its package
	receiver string // Catalog, when it belongs to a type
	value    bool   // a method value such as c.Search
	generic  bool
	file     string
	line     int
}

// describe finds the name of a function by its code.
func describe(fn reflect.Value) function {
	pc := fn.Pointer()
	rf := runtime.FuncForPC(pc)
	if rf == nil {
		return function{}
	}
	f := function{}
	f.file, f.line = rf.FileLine(pc)
	name := rf.Name()
	slash := strings.LastIndexByte(name, '/') + 1
	if dot := strings.IndexByte(name[slash:], '.'); dot >= 0 {
		f.pkg = name[:slash+dot]
	}
	name = name[slash:]
	name, f.value = strings.CutSuffix(name, "-fm")
	f.generic = strings.Contains(name, "[...]")
	parts := strings.Split(strings.ReplaceAll(name, "[...]", ""), ".")
	last := parts[len(parts)-1]
	if closureName.MatchString(last) || f.generic && !f.value {
		return f
	}
	f.name = last
	if len(parts) > 2 {
		f.receiver = strings.Trim(parts[len(parts)-2], "(*)")
		if closureName.MatchString(f.receiver) || strings.HasPrefix(f.receiver, "func") {
			return function{file: f.file, line: f.line}
		}
	}
	return f
}
