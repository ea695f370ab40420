package schema

import (
	stdjson "encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/invopop/jsonschema"
)

// keywords in the order in which they are written. $schema and $id are not
// among them: a schema is always part of another document.
const keywords = `$anchor $ref $dynamicRef type format title description deprecated const enum
allOf anyOf oneOf not if then else
multipleOf minimum exclusiveMinimum maximum exclusiveMaximum
minLength maxLength pattern contentEncoding contentMediaType contentSchema
prefixItems items contains minContains maxContains minItems maxItems uniqueItems
properties required patternProperties additionalProperties propertyNames
minProperties maxProperties dependentSchemas dependentRequired
default readOnly writeOnly examples $comment`

// Encode writes s as JSON: the same bytes every time, the type first, members
// of a struct in its order, $defs last. A bare boolean schema is written as
// an object, because clients refuse one anywhere but in additionalProperties.
//
// Use it instead of encoding s with a JSON package, which does neither.
func Encode(s *jsonschema.Schema) (jsontext.Value, error) {
	e := &encoder{at: map[string]int{}}
	t := reflect.TypeFor[jsonschema.Schema]()
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		e.at[name] = i
	}
	e.schema(s)
	if e.err != nil {
		return nil, fmt.Errorf("schema: %w", e.err)
	}
	return e.out, nil
}

type encoder struct {
	at  map[string]int // the field of a keyword
	out []byte
	err error // the first
}

func (e *encoder) schema(s *jsonschema.Schema) {
	if isFalse(s) {
		s = &jsonschema.Schema{Not: anything()}
	}
	e.out = append(e.out, '{')
	v := reflect.ValueOf(s).Elem()
	for name := range strings.FieldsSeq(keywords) {
		field := v.Field(e.at[name])
		if field.IsZero() || (field.Kind() == reflect.Slice || field.Kind() == reflect.Map) && field.Len() == 0 {
			continue
		}
		switch {
		case name == "properties":
			e.properties(s)
		case name == "additionalProperties" && isFalse(s.AdditionalProperties):
			e.member(name, false)
		default:
			e.member(name, field.Interface())
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Extras)) {
		e.member(name, s.Extras[name])
	}
	if len(s.Definitions) > 0 {
		e.member("$defs", s.Definitions)
	}
	e.out = append(e.out, '}')
}

func isFalse(s *jsonschema.Schema) bool {
	return s == jsonschema.FalseSchema || reflect.DeepEqual(s, jsonschema.FalseSchema)
}

// properties keep the order of the struct.
func (e *encoder) properties(s *jsonschema.Schema) {
	e.name("properties")
	e.out = append(e.out, '{')
	for pair := s.Properties.Oldest(); pair != nil; pair = pair.Next() {
		e.member(pair.Key, pair.Value)
	}
	e.out = append(e.out, '}')
}

func (e *encoder) name(name string) {
	if e.out[len(e.out)-1] != '{' {
		e.out = append(e.out, ',')
	}
	e.plain(name)
	e.out = append(e.out, ':')
}

func (e *encoder) member(name string, v any) {
	e.name(name)
	switch v := v.(type) {
	case *jsonschema.Schema:
		e.schema(v)
	case []*jsonschema.Schema:
		e.list(v)
	case map[string]*jsonschema.Schema:
		e.group(v)
	case jsonschema.Definitions:
		e.group(v)
	case stdjson.Number:
		e.plain(jsontext.Value(v))
	default:
		e.plain(v)
	}
}

func (e *encoder) list(list []*jsonschema.Schema) {
	e.out = append(e.out, '[')
	for i, s := range list {
		if i > 0 {
			e.out = append(e.out, ',')
		}
		e.schema(s)
	}
	e.out = append(e.out, ']')
}

func (e *encoder) group(group map[string]*jsonschema.Schema) {
	e.out = append(e.out, '{')
	for _, name := range slices.Sorted(maps.Keys(group)) {
		e.member(name, group[name])
	}
	e.out = append(e.out, '}')
}

func (e *encoder) plain(v any) {
	out, err := json.Marshal(v, json.Deterministic(true), jsontext.PreserveRawStrings(true))
	if err != nil && e.err == nil {
		e.err = err
	}
	e.out = append(e.out, out...)
}
