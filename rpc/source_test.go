package rpc_test

import (
	"testing"
	"testing/fstest"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/rpc/schema"
)

type documented struct{}

type documentedParams struct {
	State documentedState `json:"state"`
	Tag   string          `json:"tag" jsonschema_description:"from the tag"`
	Level level           `json:"level"`
}

type (
	documentedState string
	level           int
)

func (documented) Get(documentedParams) {}
func (documented) Said() int            { return 0 }
func (d documented) RPC() rpc.Service {
	return rpc.Service{Methods: []rpc.Method{{Func: d.Get}, {Func: d.Said, Description: "From the declaration."}, {Func: freeFunction}}}
}
func freeFunction() {}

const documentedSource = `package rpc_test

type documented struct{}

// Get is from the comment.
//
//go:noinline
func (documented) Get(documentedParams) {}

// Said is not heard.
func (documented) Said() int { return 0 }

// freeFunction is free.
func freeFunction() {}

// documentedParams are the parameters.
type documentedParams struct {
	// State comes from a comment.
	State documentedState
	Tag   string // not heard
	Level level  // beside the field
}

type documentedState string

const (
	// Fresh is new.
	Fresh, Ready documentedState = "fresh", "ready"
	Gone         documentedState = "gone" // too late
	Other                        = "other"
)

type level int

const (
	Low level = iota + 1 // one
	Mid                  // two
	High                 // three
	hidden
)
`

// Comments document methods, types, fields and constants; a declaration and a
// tag come before them.
func TestSourceOf(t *testing.T) {
	a := app
	a.Sources = []rpc.Source{rpc.SourceOf[*documented](fstest.MapFS{
		"a.go": {Data: []byte(documentedSource)}, "a_test.go": {Data: []byte("no Go")}, "sub/b.go": {Data: []byte("no Go")},
	})}
	a.Enums = []rpc.Enum{rpc.EnumOf[documentedState]("fresh", "gone"), rpc.EnumOf[level](1, 2, 3)}
	r, err := rpc.NewRegistry(a, documented{})
	if err != nil {
		t.Fatal(err)
	}
	e := r.Endpoint(rpc.DefaultGroup, 1)
	for name, want := range map[string]string{
		"documented.get": "Get is from the comment.", "documented.said": "From the declaration.", "documented.freeFunction": "freeFunction is free.",
	} {
		if got := e.Description(e.Lookup(name), "en"); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	params := e.Lookup("documented.get").Params
	if params.Doc != "documentedParams are the parameters." {
		t.Errorf("type: %q", params.Doc)
	}
	for i, want := range []string{"State comes from a comment.", "from the tag", "beside the field"} {
		if got := params.Fields[i].Description; got != want {
			t.Errorf("field %s: got %q, want %q", params.Fields[i].Name, got, want)
		}
	}
	docs := func(t *schema.Type) (out []string) {
		for _, v := range t.Enum {
			out = append(out, string(v.JSON)+" "+v.Doc)
		}
		return out
	}
	for i, want := range map[int][]string{0: {`"fresh" Fresh is new.`, `"gone" too late`}, 2: {"1 one", "2 two", "3 three"}} {
		got := docs(params.Fields[i].Type)
		for k := range want {
			if k >= len(got) || got[k] != want[k] {
				t.Errorf("enum %d: got %q, want %q", i, got, want)
			}
		}
	}
}
