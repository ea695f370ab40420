package params_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/rpc/internal/params"
	"github.com/facet-rpc/facet/rpc/schema"
	"github.com/go-playground/validator/v10"
	"github.com/google/uuid"
)

type Period struct {
	From int `json:"from"`
	To   int `json:"to" validate:"gtfield=From"`
}

type visit struct {
	Kind    string            `json:"kind"`
	Guests  *int64            `json:"guestCount" validate:"required_if=Kind party,omitempty,gte=2"`
	Email   string            `json:"eMail,omitempty"`
	Again   string            `json:"again,omitempty" validate:"eqfield=Email"`
	Phone   string            `json:"phone,omitempty" validate:"required_without=Email"`
	Rooms   []room            `json:"rooms,omitempty" validate:"dive"`
	ByName  map[string]room   `json:"byName,omitempty" validate:"dive"`
	ByCode  map[int][]*room   `json:"byCode,omitempty" validate:"dive,dive"`
	Between *Period           `json:"between"`
	Labels  map[string]string `json:"labels,omitempty" validate:"dive,keys,min=2,endkeys,max=2"`
	SKU     string            `json:"sku,omitempty" validate:"omitempty,sku"`
	N       int               `json:"n,omitzero" validate:"even"`
	Lists   *[]room           `json:"lists" validate:"dive"`
	Period
}

type room struct {
	Low  int    `json:"lowest"`
	High int    `json:"highest" validate:"gtefield=Low"`
	Kind string `json:"sort,omitempty" validate:"required_with=High,max=6"`
}

// Rules that look at other fields and rules of the application: validator sees
// the whole, and what it says is told in the names of the wire.
func TestRulesAcrossFields(t *testing.T) { // R-V03 case H01: go-playground/validator#597, #877
	const fine = `"from":1,"to":2,`
	for _, c := range []struct {
		raw  string
		want []string
	}{
		{`{` + fine + `"kind":"x","phone":"1"}`, nil},
		{`{` + fine + `"kind":"Type","phone":"1"}`, nil}, // case G07: go-playground/validator#1029
		{`{` + fine + `"kind":"party","phone":"1"}`, []string{"/guestCount required_if(kind party): is required when kind is party"}},
		{`{` + fine + `"kind":"party","guestCount":1,"phone":"1"}`, []string{"/guestCount gte(2): must be at least 2"}},
		{`{` + fine + `"kind":"x"}`, []string{"/phone required_without(eMail): is required without eMail"}},
		{`{` + fine + `"kind":"x","eMail":"a","again":"b"}`, []string{"/again eqfield(eMail): must be the same as eMail"}},
		{`{"from":2,"to":2,"kind":"x","phone":"1","between":{"from":1,"to":1}}`, []string{"/between/to gtfield(from): must be more than from", "/to gtfield(from): must be more than from"}},
		{`{` + fine + `"kind":"x","phone":"1","rooms":[{"lowest":1,"highest":2,"sort":"a"},{"lowest":2,"highest":1,"sort":"b"},{"lowest":1,"highest":1}]}`, []string{
			"/rooms/1/highest gtefield(lowest): must be at least lowest", "/rooms/2/sort required_with(highest): is required together with highest",
		}},
		{`{` + fine + `"kind":"x","phone":"1","byName":{"a.b":{"lowest":2,"highest":1,"sort":"s"},"c]":{"lowest":2,"highest":1,"sort":"s"},"d[0]":{"lowest":2,"highest":1,"sort":"s"},"e][x":{"lowest":2,"highest":1,"sort":"s"},"e":{"lowest":1,"highest":1,"sort":"s"},"e/~":{"lowest":2,"highest":1,"sort":"s"},"":{"lowest":2,"highest":1,"sort":"s"},"a":{"lowest":2,"highest":1,"sort":"s"}}}`, []string{
			"/byName//highest gtefield(lowest): must be at least lowest", "/byName/a/highest gtefield(lowest): must be at least lowest",
			"/byName/a.b/highest gtefield(lowest): must be at least lowest", "/byName/c]/highest gtefield(lowest): must be at least lowest",
			"/byName/d[0]/highest gtefield(lowest): must be at least lowest", "/byName/e~1~0/highest gtefield(lowest): must be at least lowest", "/byName/e][x/highest gtefield(lowest): must be at least lowest",
		}},
		{`{` + fine + `"kind":"x","phone":"1","byCode":{"7":[null,{"lowest":2,"highest":1,"sort":"s"}],"-3":[{"lowest":1,"highest":1}]}}`, []string{
			"/byCode/-3/0/sort required_with(highest): is required together with highest", "/byCode/7/1/highest gtefield(lowest): must be at least lowest",
		}},
		{`{` + fine + `"kind":"x","phone":"1","labels":{"a":"long","bb":"long","c":"ok"}}`, []string{"/labels/a min(2): must have at least 2 characters", "/labels/a max(2): must have at most 2 characters", "/labels/bb max(2): must have at most 2 characters", "/labels/c min(2): must have at least 2 characters"}},
		{`{` + fine + `"kind":"x","phone":"1","sku":"x","n":3}`, []string{"/sku sku(): must begin with sku-", "/n even(): does not keep the rule even"}}, // case H02: go-playground/validator#1094
		{`{` + fine + `"kind":"x","phone":"1","lists":null}`, nil},
		{`{` + fine + `"kind":"x","phone":"1","lists":[{"lowest":2,"highest":1,"sort":"s"}]}`, []string{"/lists/0/highest gtefield(lowest): must be at least lowest"}},
		{`{"to":"2","kind":5,"rooms":[{"lowest":2,"highest":1,"sort":"s"}],"sku":"x"}`, []string{
			"/to " + anInteger, "/kind " + aString, "/from" + required,
			"/phone required_without(eMail): is required without eMail", "/rooms/0/highest gtefield(lowest): must be at least lowest", "/sku sku(): must begin with sku-",
		}},
	} {
		for range 3 { // in the same order each time
			_, bad := decode[visit](t, c.raw, rules()...)
			same(t, c.raw, bad, c.want...)
		}
	}
}

type (
	// Words of a rule that are values stay, also when a field is called so.
	wordy struct {
		Kind string `json:"k"`
		Name string `json:"n,omitempty" validate:"required_if=Kind Name"`
		Both string `json:"b,omitempty" validate:"required_with_all=Kind Name"`
	}
	shadow struct {
		Low  string    `json:"lowText"`
		Room roomAgain `json:"room"`
	}
	roomAgain struct {
		Low  int `json:"min"`
		High int `json:"max" validate:"gtfield=Low"`
		Top  int `json:"top" validate:"ltecsfield=Low"`
	}
	crossStruct struct {
		Inner strictInt `json:"in"`
		Sum   int       `json:"sum" validate:"eqcsfield=Inner.Total"`
	}
	fromTop struct {
		Total int `json:"sum"`
		Inner struct {
			Part  int `json:"part" validate:"eqcsfield=Total"`
			Total int `json:"sumOfParts,omitzero"`
			Sum   int `json:"sum"`
		} `json:"in"`
	}
	strictInt struct {
		Total int `json:"total"`
	}
	generic[T any] struct {
		A T `json:"first"`
		B T `json:"second" validate:"eqfield=A"`
	}
)

func TestNamesInRules(t *testing.T) { // case H01: go-playground/validator#742, #1074
	_, bad := decode[wordy](t, `{"k":"Name"}`)
	same(t, "wordy", bad, "/n required_if(k Name): is required when k is Name")
	_, bad = decode[wordy](t, `{"k":"x","n":"y"}`)
	same(t, "wordy", bad, "/b required_with_all(k n): does not keep the rule required_with_all=k n")
	_, bad = decode[shadow](t, `{"lowText":"","room":{"min":3,"max":2,"top":2}}`)
	same(t, "shadow", bad, "/room/max gtfield(min): must be more than min")
	// Despite what its documentation says, validator looks in the same struct.
	_, bad = decode[fromTop](t, `{"sum":1,"in":{"part":1,"sum":2}}`)
	same(t, "from the same struct", bad, "/in/part eqcsfield(sumOfParts): does not keep the rule eqcsfield=sumOfParts")
	_, bad = decode[fromTop](t, `{"sum":1,"in":{"part":3,"sumOfParts":3,"sum":2}}`)
	same(t, "from the same struct", bad)
	_, bad = decode[crossStruct](t, `{"in":{"total":2},"sum":1}`)
	same(t, "cross", bad, "/sum eqcsfield(in.total): does not keep the rule eqcsfield=in.total")
	_, bad = decode[generic[int]](t, `{"first":1,"second":2}`)
	same(t, "generic", bad, "/second eqfield(first): must be the same as first")
	_, bad = decode[generic[schema.Number]](t, `{"first":1,"second":2}`) // a type argument with dots in its name
	same(t, "generic", bad, "/second eqfield(first): must be the same as first")
	_, bad = decode[struct {
		Deep struct {
			A int `json:"x"`
			B int `json:"y" validate:"eqfield=A"`
		} `json:"deep"`
	}](t, `{"deep":{"x":1,"y":2}}`)
	same(t, "anonymous", bad, "/deep/y eqfield(x): must be the same as x")
}

type (
	Outer struct {
		Low int `json:"low,omitzero"`
		*Inner
	}
	Inner struct {
		High int      `json:"high" validate:"gtefield=Base"`
		Base int      `json:"base"`
		List []*Outer `json:"list,omitzero" validate:"dive"`
	}
)

// Members of embedded structs stand where the wire has them, behind pointers
// too.
func TestRulesInEmbeddedStructs(t *testing.T) { // R-C05
	const broken = " gtefield(base): must be at least base"
	for raw, want := range map[string][]string{
		`{}`:                  nil,
		`{"low":1}`:           nil,
		`{"high":1,"base":2}`: {"/high" + broken},
		`{"high":2,"base":2,"list":[{"low":1},null,{"high":1,"base":2,"list":[{"base":1}]}]}`: {"/list/2/high" + broken, "/list/2/list/0/high" + broken},
	} {
		_, bad := decode[Outer](t, raw)
		same(t, raw, bad, want...)
	}
}

// tone is text that prints as something else.
type tone string

func (tone) String() string { return "a tone" }

// Keys are named as they came, whatever Go prints for them.
func TestNamesOfKeys(t *testing.T) { // R-C05
	type own struct {
		Moods map[mood]int `json:"moods" validate:"dive,min=1"`
		Tones map[tone]int `json:"tones" validate:"dive,min=1"`
	}
	type whole struct {
		own
		A int `json:"a,omitzero"`
		B int `json:"b,omitzero" validate:"eqfield=A"`
	}
	const raw = `{"moods":{"sad":0,"glad":0},"tones":{"low":0}}`
	want := []string{"/moods/glad min(1): must be at least 1", "/moods/sad min(1): must be at least 1", "/tones/low min(1): must be at least 1"}
	_, bad := decode[own](t, raw)
	same(t, raw, bad, want...)
	_, bad = decode[whole](t, raw)
	same(t, raw, bad, want...)
}

type (
	hidden struct {
		Low  int `json:"low"`
		High int `json:"high" validate:"gtfield=Low"`
	}
	parts struct {
		hidden
		Door  *strict                `json:"door" validate:"required_with=Key"`
		Key   string                 `json:"key,omitempty"`
		Frame strict                 `json:"frame" validate:"required_without=Key"`
		Who   mood                   `json:"who,omitzero" validate:"excluded_with=Key"`
		Any   any                    `json:"any,omitzero" validate:"required_if=Key any"`
		IDs   map[string][]uuid.UUID `json:"ids,omitempty" validate:"dive,dive,uuid4"`
	}
)

// A struct that must be there, one that is embedded and not exported, and a
// value of any type: what validator is not asked as it is.
func TestRulesAcrossParts(t *testing.T) { // R-V03
	const ok = `"low":1,"high":2,`
	for raw, want := range map[string][]string{
		`{` + ok + `"frame":{"name":"abc"}}`:                                                      nil,
		`{"low":2,"high":2,"frame":{"name":"abc"}}`:                                               {"/high gtfield(low): must be more than low"},
		`{` + ok + `"frame":{"name":""}}`:                                                         {"/frame required_without(key): is required without key"},
		`{` + ok + `"key":"k","frame":{"name":"abc"}}`:                                            {"/door required_with(key): is required together with key"},
		`{` + ok + `"key":"k","door":{"name":"a"},"frame":{"name":"a"}}`:                          {"/door/name min(3): must have at least 3 characters", "/frame/name min(3): must have at least 3 characters"},
		`{` + ok + `"key":"any","door":{"name":"abc"},"who":"sad","frame":{"name":"abc"}}`:        {"/who excluded_with(key): does not keep the rule excluded_with=key", "/any required_if(key any): is required when key is any"},
		`{` + ok + `"frame":{"name":"abc"},"ids":{"a":["6ba7b810-9dad-11d1-80b4-00c04fd430c8"]}}`: {"/ids/a/0 uuid4(): must be a UUID of version 4"},
	} {
		_, bad := decode[parts](t, raw)
		same(t, raw, bad, want...)
	}
}

// A rule of the application sees what it would see in a check of the whole.
func TestRuleOfTheApplicationLooksAround(t *testing.T) {
	type inner struct {
		Codes []string `json:"codes" validate:"dive,sees"`
	}
	type outer struct {
		Top  string            `json:"top" validate:"sees"`
		In   *inner            `json:"in"`
		Room strict            `json:"room" validate:"sees"`
		Map  map[string]string `json:"map" validate:"dive,sees"`
	}
	var saw []string
	sees := params.Rule{Name: "sees", Func: func(f validator.FieldLevel) bool {
		top, ok := f.Top().Interface().(*outer)
		if !ok {
			t.Errorf("the top is a %v", f.Top().Type())
			return false
		}
		saw = append(saw, strings.Join([]string{f.FieldName(), f.StructFieldName(), f.GetTag(), f.Parent().Type().Name(), f.Field().Kind().String(), top.Top}, " "))
		return true
	}}
	m := schema.NewModel(schema.Config{Rules: map[string]bool{"sees": true}})
	typ, faults := m.OfParams(reflect.TypeFor[outer]())
	c, err := params.NewCompiler([]params.Rule{sees})
	if err != nil || len(faults) > 0 {
		t.Fatal(err, faults)
	}
	p, _ := c.Plan(typ)
	saw = nil
	_, bad, err := run(p, `{"top":"t","in":{"codes":["a","b"]},"room":{"name":"abc"},"map":{"k":"v"}}`)
	same(t, "all", texts(t, bad))
	want := []string{
		"Top Top sees outer string t", "Codes[0] Codes[0] sees inner string t", "Codes[1] Codes[1] sees inner string t",
		"Room Room sees outer struct t", "Map[k] Map[k] sees outer string t",
	}
	if err != nil || !slices.Equal(saw, want) {
		t.Errorf("saw %q, want %q, %v", saw, want, err)
	}
}

// sealed reads itself, and has a rule inside all the same.
type sealed struct {
	N int `json:"n" validate:"min=1"`
}

func (s *sealed) UnmarshalJSON(raw []byte) error { s.N = len(raw); return nil }
func (s sealed) MarshalJSON() ([]byte, error)    { return []byte("0"), nil }

type wax struct {
	N int `validate:"min=2"`
}

func (w *wax) UnmarshalText(text []byte) error { w.N = len(text); return nil }
func (w wax) MarshalText() ([]byte, error)     { return nil, nil }

// Rules inside a type that decodes itself are validator's to find; what is in
// it has no name on the wire.
func TestRulesInTypesThatDecodeThemselves(t *testing.T) { // R-V01
	type p struct {
		A sealed         `json:"a"`
		B map[string]wax `json:"b" validate:"dive"`
		C *wax           `json:"c"`
	}
	_, bad := decode[p](t, `{"a":0,"b":{"x":"ab","y":"a"},"c":"a"}`)
	same(t, "all", bad, "/b/y min(2): must be at least 2", "/c min(2): must be at least 2")
}
