// Package reader reads OpenRPC 1.x documents of any origin into what the
// generators of clients write: methods, and types instead of JSON Schemas.
package reader

import (
	"strings"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/go-json-experiment/json/jsontext"
)

// Document is an OpenRPC document.
type Document struct {
	Title, Version string
	Servers        []string // URLs
	Methods        []*Method
	Types          []*Named // those of components, then what references point at besides
	Errors         []*Error // that methods declare, each once
}

// Method is one method.
type Method struct {
	Name       string
	Text       string
	Deprecated bool
	Params     []*Property
	// ByPosition: the method does not take its params by name.
	ByPosition bool
	// Result is nil for a method that is only notified.
	Result     *Type
	ResultText string
	Errors     []*Error
}

// maxParts is how many parts a path has; what follows is in the last one.
const maxParts = 16

// Path is the name at its dots: where a client has the method.
func (m *Method) Path() []string { return strings.SplitN(m.Name, ".", maxParts) }

// Error is an error that methods declare.
type Error struct {
	// Name is its kind, else its key in components, else its code.
	Name    string
	Code    int
	Message string
	// Kind is what error.data.exception always is; empty: it is not said.
	Kind string
	// Data is the type of error.data, Details of error.data.details; nil if it
	// is not said.
	Data, Details *Type
	at            string
}

// Common: any method can end with the error, so the comment of none says it.
func (e *Error) Common() bool {
	return e.Code == rpcerrors.CodeInvalidParams || e.Code == rpcerrors.CodeInternal
}

// Property is a parameter of a method or a member of an object.
type Property struct {
	Name       string
	Text       string
	Required   bool
	Deprecated bool
	Type       *Type
}

// Named is a type that others refer to.
type Named struct {
	Name string // the last token of its JSON pointer
	Type *Type
}

// Read reads a document. Its error names the place of what is wrong with it.
func Read(text []byte) (*Document, error) {
	root, err := parse(text)
	if err != nil {
		return nil, err
	}
	if root.kind != '{' {
		return nil, root.fault("is not an object, so it is no OpenRPC document")
	}
	version, err := root.text("openrpc")
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(version, "1.") {
		return nil, root.fault("has no member openrpc that begins with 1., so it is no OpenRPC 1.x document")
	}
	r := &reading{root: root, doc: &Document{}, named: map[*node]*Named{}, errors: map[*node]*Error{}, settled: map[*Named]int{}}
	if err := r.head(); err != nil {
		return nil, err
	}
	if err := r.components(); err != nil {
		return nil, err
	}
	if err := r.methods(); err != nil {
		return nil, err
	}
	for _, n := range r.doc.Types {
		r.settleNamed(n)
	}
	return r.doc, nil
}

// reading is a document while it is read.
type reading struct {
	root    *node
	base    *node // the schema whose own definitions references may mean
	doc     *Document
	named   map[*node]*Named
	errors  map[*node]*Error
	settled map[*Named]int
}

func (r *reading) head() error {
	info, err := r.root.object("info")
	if err != nil {
		return err
	}
	if r.doc.Title, err = info.text("title"); err != nil {
		return err
	}
	if r.doc.Version, err = info.text("version"); err != nil {
		return err
	}
	servers, err := r.root.array("servers")
	if err != nil {
		return err
	}
	for _, s := range servers {
		url, err := s.text("url")
		if err != nil {
			return err
		}
		if url != "" {
			r.doc.Servers = append(r.doc.Servers, url)
		}
	}
	return nil
}

// components reads the schemas that have names, used or not.
func (r *reading) components() error {
	components, err := r.root.object("components")
	if err != nil {
		return err
	}
	schemas, err := components.object("schemas")
	if err != nil || schemas == nil {
		return err
	}
	for _, m := range schemas.members {
		if _, err := r.target(m.value, m.value); err != nil {
			return err
		}
	}
	return nil
}

// Deprecation splits a text into what it says and what to use instead, the
// paragraph Deprecated:, which may be missing.
func Deprecation(text string) (rest, instead string) {
	if at := strings.LastIndex(text, "Deprecated: "); at == 0 || at > 0 && text[at-1] == '\n' {
		return strings.TrimSpace(text[:at]), strings.TrimSpace(text[at+len("Deprecated: "):])
	}
	return text, ""
}

// Quoted is text as a JSON string.
func Quoted(text string) string {
	quoted, _ := jsontext.AppendQuote(nil, text) // what is no UTF-8 is replaced
	return string(quoted)
}
