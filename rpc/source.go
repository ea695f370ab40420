package rpc

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"reflect"
	"strconv"
	"strings"
)

// Source holds the doc comments of one package; see [SourceOf].
type Source struct {
	pkg    string
	types  map[string]string            // type: comment
	fields map[string]map[string]string // type: Go field: comment
	funcs  map[string]string            // func or Type.Method: comment
	consts map[string][]namedConstant   // type: constants
	err    error
}

// SourceOf reads the doc comments in the Go files of T's package, so that
// they document methods, types, fields and constants. A translation, the
// declaration and the tags of a field come before them. A paragraph that begins
// with "Deprecated: " marks a method or a field as deprecated; the first
// sentence of a method is its summary where it has no title.
//
//	//go:embed *.go
//	var files embed.FS
//
//	rpc.App{Sources: []rpc.Source{rpc.SourceOf[Catalog](files)}}
func SourceOf[T any](files fs.FS) Source {
	t := reflect.TypeFor[T]()
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	s := Source{pkg: t.PkgPath(), types: map[string]string{}, fields: map[string]map[string]string{},
		funcs: map[string]string{}, consts: map[string][]namedConstant{}}
	s.err = s.read(files)
	if name, _, _ := strings.Cut(t.Name(), "["); s.err == nil && !s.has(name) {
		s.err = fmt.Errorf("the files do not hold the type %s", t)
	}
	return s
}

// has reports whether the files declare a type.
func (s *Source) has(name string) bool {
	_, ok := s.types[name]
	return ok
}

// read takes the Go files at the top of files, without tests.
func (s *Source) read(files fs.FS) error {
	paths, err := fs.Glob(files, "*.go")
	if err != nil {
		return err
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		text, err := fs.ReadFile(files, path)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		s.file(file)
	}
	return nil
}

func (s *Source) file(f *ast.File) {
	for _, decl := range f.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			name := d.Name.Name
			if d.Recv != nil && len(d.Recv.List) == 1 {
				name = receiverName(d.Recv.List[0].Type) + "." + name
			}
			s.funcs[name] = comment(d.Doc)
		case *ast.GenDecl:
			switch d.Tok {
			case token.TYPE:
				for _, spec := range d.Specs {
					s.typeSpec(spec.(*ast.TypeSpec), d)
				}
			case token.CONST:
				s.constDecl(d)
			}
		}
	}
}

func (s *Source) typeSpec(t *ast.TypeSpec, d *ast.GenDecl) {
	doc := comment(t.Doc)
	if doc == "" && len(d.Specs) == 1 {
		doc = comment(d.Doc)
	}
	s.types[t.Name.Name] = doc
	st, ok := t.Type.(*ast.StructType)
	if !ok {
		return
	}
	fields := map[string]string{}
	for _, f := range st.Fields.List {
		text := comment(f.Doc)
		if text == "" {
			text = comment(f.Comment)
		}
		for _, n := range f.Names {
			fields[n.Name] = text
		}
	}
	s.fields[t.Name.Name] = fields
}

func receiverName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiverName(e.X)
	case *ast.IndexExpr:
		return receiverName(e.X)
	case *ast.IndexListExpr:
		return receiverName(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// comment is the text of a doc comment, without directives.
func comment(g *ast.CommentGroup) string {
	if g == nil {
		return ""
	}
	return strings.TrimSpace(g.Text())
}

// sources finds comments by type.
type sources []Source

func (ss sources) of(t reflect.Type) *Source {
	for i := range ss {
		if ss[i].pkg == t.PkgPath() {
			return &ss[i]
		}
	}
	return nil
}

// comments is what [schema.Config] asks for.
func (ss sources) comments(t reflect.Type) (doc string, fields map[string]string) {
	s := ss.of(t)
	if s == nil {
		return "", nil
	}
	name, _, _ := strings.Cut(t.Name(), "[")
	return s.types[name], s.fields[name]
}

// method is the comment of a method or function.
func (ss sources) method(pkg, name string) string {
	for i := range ss {
		if ss[i].pkg == pkg {
			return ss[i].funcs[name]
		}
	}
	return ""
}

// constants names the typed constants of t.
func (ss sources) constants(t reflect.Type) (names []string) {
	if s := ss.of(t); s != nil {
		for _, c := range s.consts[t.Name()] {
			names = append(names, c.name)
		}
	}
	return names
}

// constant is the comment of the constant of type t with this value.
func (ss sources) constant(t reflect.Type, value any) string {
	s := ss.of(t)
	if s == nil {
		return ""
	}
	v := reflect.ValueOf(value)
	text := ""
	switch {
	case v.Kind() == reflect.String:
		text = v.String()
	case v.CanInt():
		text = strconv.FormatInt(v.Int(), 10)
	case v.CanUint():
		text = strconv.FormatUint(v.Uint(), 10)
	}
	for _, c := range s.consts[t.Name()] {
		if c.value == text && text != "" {
			return c.doc
		}
	}
	return ""
}
