package openrpc

import (
	"strings"

	"github.com/facet-rpc/facet/rpc"
	"github.com/go-json-experiment/json/jsontext"
)

// method is the Method Object of OpenRPC 1.3.2.
type method struct {
	Name           string        `json:"name"`
	Summary        string        `json:"summary,omitempty"`
	Description    string        `json:"description,omitempty"`
	Tags           []tag         `json:"tags,omitempty"`
	ExternalDocs   *externalDocs `json:"externalDocs,omitzero"`
	Deprecated     bool          `json:"deprecated,omitzero"`
	ParamStructure string        `json:"paramStructure"`
	Params         []descriptor  `json:"params"`
	Result         descriptor    `json:"result"`
	Errors         []reference   `json:"errors"`
	Examples       []pairing     `json:"examples,omitempty"`
	extensions     `json:",inline"`
}

// tag is the Tag Object. Only the tag that is the service's own name is
// described: by what the service says of itself.
type tag struct {
	Name         string        `json:"name"`
	Description  string        `json:"description,omitempty"`
	ExternalDocs *externalDocs `json:"externalDocs,omitzero"`
}

// descriptor is the Content Descriptor Object: a parameter or the result.
type descriptor struct {
	Name        string         `json:"name"`
	Summary     string         `json:"summary,omitempty"`
	Description string         `json:"description,omitempty"`
	Required    bool           `json:"required,omitzero"`
	Deprecated  bool           `json:"deprecated,omitzero"`
	Schema      jsontext.Value `json:"schema"`
}

// method describes one method of the endpoint.
func (w *writer) method(s *rpc.Spec) (method, error) {
	m := &s.Declared
	out := method{
		Name: s.Name(), ParamStructure: "by-name", Params: []descriptor{},
		Summary:      w.summary(s),
		Description:  deprecate(w.endpoint.Description(s, w.language), m.Deprecated),
		Deprecated:   m.Deprecated != "",
		ExternalDocs: docs(m.Docs),
		extensions:   extensionsOf(m),
	}
	if s.ByPosition || s.Params == nil {
		out.ParamStructure = "either"
	}
	for _, name := range m.Tags {
		t := tag{Name: name}
		if name == s.Service {
			t.Description, t.ExternalDocs = s.ServiceDescription, docs(s.ServiceDocs)
		}
		out.Tags = append(out.Tags, t)
	}
	var err error
	if out.Examples, err = pairings(s); err != nil {
		return out, err
	}
	if out.Params, err = w.params(s); err != nil {
		return out, err
	}
	if out.Result.Schema, err = w.schemas.result(s.Result); err != nil {
		return out, err
	}
	out.Result.Name = "result"
	out.Errors, err = w.errors.of(m)
	return out, err
}

// summary is the title, else the first sentence of the description, else the
// name.
func (w *writer) summary(s *rpc.Spec) string {
	title := w.endpoint.Title(s, w.language)
	if title != s.Name() {
		return title
	}
	if first := firstSentence(w.endpoint.Description(s, w.language)); first != "" {
		return first
	}
	return title
}

// firstSentence is the text up to its first full stop before a space or the
// end, in one line.
func firstSentence(text string) string {
	first, _, _ := strings.Cut(text, "\n\n")
	line := strings.Join(strings.Fields(first), " ")
	if sentence, _, more := strings.Cut(line, ". "); more {
		return sentence + "."
	}
	return line
}

// params are the fields of the params struct in their order, which is the
// order of params by position.
func (w *writer) params(s *rpc.Spec) ([]descriptor, error) {
	out := []descriptor{}
	if s.Params == nil {
		return out, nil
	}
	for i := range s.Params.Fields {
		f := &s.Params.Fields[i]
		value, err := w.schemas.param(f)
		if err != nil {
			return nil, err
		}
		out = append(out, descriptor{
			Name: f.Name, Summary: f.Title,
			Description: deprecate(w.endpoint.ParamText(s, f, w.language), f.Deprecated),
			Required:    f.Required, Deprecated: f.Deprecated != "",
			Schema: value,
		})
	}
	return out, nil
}

// deprecate adds what to use instead as the last paragraph, as Go comments
// have it: OpenRPC only knows that something is deprecated. A field whose tag
// says no more than that has "Deprecated." there.
func deprecate(text, instead string) string {
	switch {
	case instead == "", instead == "Deprecated.":
		return text
	case text == "":
		return "Deprecated: " + instead
	default:
		return text + "\n\nDeprecated: " + instead
	}
}
