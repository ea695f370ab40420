package schema_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/rpc/schema"
	"github.com/invopop/jsonschema"
)

func TestEncode(t *testing.T) {
	tests := []struct {
		s    *jsonschema.Schema
		want string
	}{
		{&jsonschema.Schema{}, `{}`},
		{jsonschema.TrueSchema, `{}`},
		{jsonschema.FalseSchema, `{"not":{}}`},
		{&jsonschema.Schema{AdditionalProperties: jsonschema.FalseSchema}, `{"additionalProperties":false}`},
		{&jsonschema.Schema{AdditionalProperties: jsonschema.TrueSchema}, `{"additionalProperties":{}}`},
		{&jsonschema.Schema{Items: jsonschema.FalseSchema, Description: "a <b> & c"}, `{"description":"a <b> & c","items":{"not":{}}}`},
		{&jsonschema.Schema{Version: "v", ID: "i", Type: "string", Default: "x", Extras: map[string]any{"x-b": 1, "x-a": []string{"y"}}},
			`{"type":"string","default":"x","x-a":["y"],"x-b":1}`},
		{&jsonschema.Schema{PatternProperties: map[string]*jsonschema.Schema{"b": {}, "a": {Type: "null"}}, Minimum: "9007199254740993"},
			`{"minimum":9007199254740993,"patternProperties":{"a":{"type":"null"},"b":{}}}`},
	}
	for _, tt := range tests {
		if got := render(t, tt.s); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
	if _, err := schema.Encode(&jsonschema.Schema{Default: func() {}}); err == nil {
		t.Error("a default that JSON cannot carry is encoded")
	}
}

// Every keyword that invopop's Schema can hold is written, but for the two
// that only a document of its own may have.
func TestEncodeKnowsEveryKeyword(t *testing.T) {
	s := reflect.New(reflect.TypeFor[jsonschema.Schema]())
	for i := range s.Elem().NumField() {
		f := s.Elem().Type().Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "-" {
			continue
		}
		one := reflect.New(s.Elem().Type())
		switch v := one.Elem().Field(i); v.Kind() {
		case reflect.String:
			v.SetString("1")
		case reflect.Bool:
			v.SetBool(true)
		case reflect.Pointer:
			v.Set(reflect.New(v.Type().Elem()))
			if name == "properties" {
				v.Set(reflect.ValueOf(jsonschema.NewProperties()))
			}
		case reflect.Slice:
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			if v.Index(0).Kind() == reflect.Pointer {
				v.Index(0).Set(reflect.ValueOf(&jsonschema.Schema{}))
			}
		case reflect.Map:
			v.Set(reflect.MakeMap(v.Type()))
			elem := reflect.Zero(v.Type().Elem())
			if elem.Kind() == reflect.Pointer {
				elem = reflect.ValueOf(&jsonschema.Schema{})
			}
			v.SetMapIndex(reflect.ValueOf("x"), elem)
		case reflect.Interface:
			v.Set(reflect.ValueOf("x"))
		}
		got := render(t, one.Interface().(*jsonschema.Schema))
		if dropped := name == "$schema" || name == "$id"; strings.Contains(got, `"`+name+`":`) == dropped {
			t.Errorf("%s: %s", name, got)
		}
	}
}
