package schema

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// defaults reads the default tag and the examples of a field.
func (m *Model) defaults(t *Type, f *Field) {
	fault := func(problem, mend string) { m.report(t, f.owner, f.GoName, problem, mend) }
	for _, text := range f.examples() {
		raw, err := f.literal(text)
		if err != nil {
			fault("the example "+quote(text)+" does not fit: "+err.Error(), "write a value of the field's type")
			continue
		}
		f.Examples = append(f.Examples, raw)
	}
	text, ok := f.tag.Lookup("default")
	if !ok {
		return
	}
	raw, err := f.literal(text)
	if err != nil {
		fault("default:"+quote(text)+" does not fit: "+err.Error(), howToWrite(f))
		return
	}
	f.Default = raw
	if f.Rules == nil {
		return
	}
	for _, r := range f.Rules.List {
		if strings.HasPrefix(r.Name, "required_") {
			fault("with a default it is never absent, so "+r.Name+" says nothing", "keep one of the two")
		}
	}
}

// howToWrite says what a default for f looks like.
func howToWrite(f *Field) string {
	switch base := f.Type.base(); {
	case base.Enum != nil:
		return "write one of the enum's values"
	case base.textual():
		return "write the text itself, without quotes"
	case base.Kind == Any || base.Kind == Raw:
		return "write JSON, a string with its quotes"
	default:
		return "write the value as JSON, in the range of " + base.Go.String()
	}
}

// literal turns the text of a tag into the JSON that a caller would send.
// For types that are strings in JSON it is the text itself, for all others
// it is JSON already.
func (f *Field) literal(text string) ([]byte, error) {
	base := f.Type.base()
	raw := jsontext.Value(text)
	if base.textual() {
		quoted, err := jsontext.AppendQuote(nil, text)
		if err != nil {
			return nil, err
		}
		raw = quoted
	}
	if err := raw.Compact(); err != nil {
		return nil, errors.New("it is not JSON")
	}
	if raw.Kind() == 'n' && base.Kind != Any && base.Kind != Raw {
		return nil, errors.New("null is no value")
	}
	if base.Enum != nil && !base.allows(raw) {
		return nil, errors.New("it is not a value of the enum")
	}
	if err := base.fits(raw); err != nil {
		return nil, err
	}
	if f.Quoted {
		return append(append([]byte{'"'}, raw...), '"'), nil
	}
	return raw, nil
}

// textual: values of t are strings in JSON.
func (t *Type) textual() bool {
	switch t.Kind {
	case String, Text, Time, Duration, Bytes:
		return true
	case Custom:
		return t.Enum != nil && t.Enum[0].JSON[0] == '"'
	default:
		return false
	}
}

// fits decodes raw as t. Enums inside are looked at too.
func (t *Type) fits(raw jsontext.Value) error {
	into := reflect.New(t.Go)
	if err := json.Unmarshal(raw, into.Interface(), json.RejectUnknownMembers(true), json.WithUnmarshalers(literals())); err != nil {
		var semantic *json.SemanticError
		if errors.As(err, &semantic) && semantic.Err != nil {
			return semantic.Err
		}
		return fmt.Errorf("it is no %s", t.Go)
	}
	if t.Kind != Array || t.Elem.Enum == nil {
		return nil
	}
	var items []jsontext.Value
	if err := json.Unmarshal(raw, &items); err != nil {
		return err
	}
	for _, item := range items {
		if !t.Elem.allows(item) {
			return fmt.Errorf("%s is not a value of the enum", item)
		}
	}
	return nil
}

// literals decodes the two types of which json/v2 knows no form.
func literals() *json.Unmarshalers {
	return json.JoinUnmarshalers(
		json.UnmarshalFunc(func(raw []byte, d *time.Duration) error {
			var text string
			if err := json.Unmarshal(raw, &text); err != nil {
				return err
			}
			v, err := time.ParseDuration(text)
			*d = v
			return err
		}),
		json.UnmarshalFunc(func(raw []byte, n *Number) error {
			if jsontext.Value(raw).Kind() != '0' {
				return errors.New("it is not a number")
			}
			*n = Number(raw)
			return nil
		}),
	)
}
