package openrpc

import (
	"fmt"
	"reflect"

	"github.com/facet-rpc/facet/rpc/schema"
	"github.com/go-json-experiment/json/jsontext"
)

// style: the schemas of OpenRPC 1.3.2 are JSON Schema draft 7, and refer to
// components.
var style = schema.Style{RefPrefix: "#/components/schemas/", Draft7: true}

// schemas renders types, and collects the types that they refer to, directly
// or through each other.
type schemas struct {
	model       *schema.Model
	definitions map[string]jsontext.Value
}

// param is what a caller may send for a parameter. Its title, description and
// deprecation stand in the content descriptor, in the reader's language.
func (s *schemas) param(f *schema.Field) (jsontext.Value, error) {
	bare := *f
	bare.Title, bare.Description, bare.Deprecated = "", "", ""
	root := s.model.Member(&bare, style)
	if err := s.collect(s.model.Definitions(style, root)); err != nil {
		return nil, err
	}
	return schema.Encode(root)
}

// result is what a caller gets; null from a method without a result.
func (s *schemas) result(t *schema.Type) (jsontext.Value, error) {
	if t == nil {
		return jsontext.Value(`{"type":"null"}`), nil
	}
	root := s.model.Output(t, style)
	if err := s.collect(s.model.Definitions(style, root)); err != nil {
		return nil, err
	}
	return schema.Encode(root)
}

// details is what a caller gets as the data of an error.
func (s *schemas) details(rt reflect.Type) (jsontext.Value, error) {
	t, faults := s.model.Of(rt)
	if len(faults) > 0 {
		return nil, fmt.Errorf("the data of an error: %w", faults[0])
	}
	return s.result(t)
}

// collect keeps definitions that were not there before.
func (s *schemas) collect(found []schema.Definition) error {
	for _, d := range found {
		if s.definitions[d.Name] != nil {
			continue
		}
		body, err := schema.Encode(d.Schema)
		if err != nil {
			return fmt.Errorf("the schema of %s: %w", d.Name, err)
		}
		s.definitions[d.Name] = body
	}
	return nil
}
