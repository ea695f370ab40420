package rpc_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/facet-rpc/facet/rpc"
)

type spoken struct{}

type spokenParams struct {
	Comment string `json:"comment"`
	Tag     string `json:"tag" jsonschema_description:"From the tag."`
	Tag2    string `json:"tag2" jsonschema:"description=From the other tag."`
	Text    string `json:"text" jsonschema_description:"From the tag."`
	Old     string `json:"old"`
	Older   string `json:"older" jsonschema:"deprecated=Use tag."`
}

func (spoken) Comment(spokenParams) {}
func (spoken) Declared()            {}
func (spoken) Text()                {}
func (spoken) Old()                 {}
func (spoken) Older()               {}
func (spoken) Bare()                {}

func (s spoken) RPC() rpc.Service {
	return rpc.Service{Methods: []rpc.Method{
		{Func: s.Comment}, {Func: s.Declared, Description: "From the declaration.", Title: "Declared"},
		{Func: s.Text, Description: "From the declaration.", Title: "Declared"},
		{Func: s.Old}, {Func: s.Older, Deprecated: "Use text."}, {Func: s.Bare},
	}}
}

const spokenSource = `package rpc_test

// spoken speaks.
type spoken struct{}

// spokenParams are params.
type spokenParams struct {
	Comment string // From the comment.
	Tag, Tag2, Text string // From the comment.
	// Old is from the comment.
	//
	// Deprecated: Use comment,
	// as the others do.
	Old string
	// Deprecated: Use comment.
	Older string
}

// From the comment. It has two sentences.
func (spoken) Comment(spokenParams) {}

// From the comment.
func (spoken) Declared() {}

// From the comment.
func (spoken) Text() {}

// Old is from the comment.
//
// Deprecated: Use comment.
func (spoken) Old() {}

// Older is from the comment.
//
// Deprecated: Use comment.
func (spoken) Older() {}
`

// spokenTexts are translations into one language.
type spokenTexts map[string]string

func (spokenTexts) Language(string) string { return "uk" }
func (t spokenTexts) Text(lang, _, key string) (string, bool) {
	text, ok := t[key]
	return text, ok && lang == "uk"
}

// A translation comes before the declaration, that before a tag, and that
// before the comment.
func TestPrecedenceOfTexts(t *testing.T) { // R-C11
	a := app
	a.Sources = []rpc.Source{rpc.SourceOf[spoken](fstest.MapFS{"spoken.go": {Data: []byte(spokenSource)}})}
	a.Texts = spokenTexts{
		"spoken.text.description": "З перекладу.", "spoken.text.title": "Переклад", "spoken.comment.params.text": "З перекладу.",
	}
	r, err := rpc.NewRegistry(a, spoken{})
	if err != nil {
		t.Fatal(err)
	}
	e := r.Endpoint(rpc.DefaultGroup, 1)
	for _, row := range []struct{ method, lang, title, description, deprecated string }{
		{"spoken.comment", "uk", "spoken.comment", "From the comment. It has two sentences.", ""},
		{"spoken.declared", "uk", "Declared", "From the declaration.", ""},
		{"spoken.text", "uk", "Переклад", "З перекладу.", ""},
		{"spoken.text", "en", "Declared", "From the declaration.", ""},
		{"spoken.old", "uk", "spoken.old", "Old is from the comment.", "Use comment."},
		{"spoken.older", "uk", "spoken.older", "Older is from the comment.", "Use text."},
		{"spoken.bare", "uk", "spoken.bare", "", ""},
	} {
		s := e.Lookup(row.method)
		if got := e.Title(s, row.lang); got != row.title {
			t.Errorf("%s in %s: the title is %q, want %q", row.method, row.lang, got, row.title)
		}
		if got := e.Description(s, row.lang); got != row.description {
			t.Errorf("%s in %s: the description is %q, want %q", row.method, row.lang, got, row.description)
		}
		if got := s.Declared.Deprecated; got != row.deprecated {
			t.Errorf("%s: instead %q, want %q", row.method, got, row.deprecated)
		}
		if s.ServiceDescription != "spoken speaks." {
			t.Errorf("%s: the service is described as %q", row.method, s.ServiceDescription)
		}
	}
	s := e.Lookup("spoken.comment")
	for i, row := range []struct{ text, deprecated string }{
		{"From the comment.", ""}, {"From the tag.", ""}, {"From the other tag.", ""}, {"З перекладу.", ""},
		{"Old is from the comment.", "Use comment,\nas the others do."}, {"", "Use tag."},
	} {
		f := &s.Params.Fields[i]
		if got := e.ParamText(s, f, "uk"); got != row.text || f.Deprecated != row.deprecated {
			t.Errorf("%s: got %q, instead %q; want %q, %q", f.Name, got, f.Deprecated, row.text, row.deprecated)
		}
	}
}

// What is wrong with sources is told with the package or the file.
func TestSourceFaults(t *testing.T) {
	file := func(name, text string) fstest.MapFS { return fstest.MapFS{name: {Data: []byte(text)}} }
	right := file("spoken.go", spokenSource)
	const pkg = "package github.com/facet-rpc/facet/rpc_test "
	for _, row := range []struct {
		sources []rpc.Source
		want    string
	}{
		{[]rpc.Source{rpc.SourceOf[spoken](fstest.MapFS{})}, pkg + "cannot be read: the files do not hold the type rpc_test.spoken: embed the Go files"},
		{[]rpc.Source{rpc.SourceOf[spoken](file("a.go", "package rpc_test\ntype other int"))}, "the files do not hold the type rpc_test.spoken"},
		{[]rpc.Source{rpc.SourceOf[spoken](file("a_test.go", spokenSource))}, "the files do not hold the type rpc_test.spoken"},
		{[]rpc.Source{rpc.SourceOf[spoken](file("broken.go", "package broken\nfunc {"))}, pkg + "cannot be read: broken.go:2:6: "},
		{[]rpc.Source{rpc.SourceOf[spoken](right), rpc.SourceOf[*spokenParams](right)}, pkg + "twice, and only the first would be read: embed all its files in one embed.FS"},
	} {
		a := app
		a.Sources = row.sources
		if _, err := rpc.NewRegistry(a, spoken{}); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("got %v\nwant %q", err, row.want)
		}
	}
}
