package params_test

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/facet-rpc/facet/rpc/internal/params"
	"github.com/facet-rpc/facet/rpc/schema"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"
	invopop "github.com/invopop/jsonschema"
	jsonschema "github.com/santhosh-tekuri/jsonschema/v6"
)

// shelf has what documents must tell of params: defaults, nulls, rules and
// types that meet themselves.
type shelf struct {
	Limit int     `json:"limit" default:"10" validate:"min=1,max=100"`
	Wide  uint8   `json:"wide,omitzero" validate:"lt=200"`
	Query string  `json:"query" validate:"required,max=3"`
	Name  *string `json:"name" validate:"omitempty,min=2"`
	Must  *int    `json:"must" validate:"required,gte=2"`
	Size  *size   `json:"size" default:"20"`
	Color color   `json:"color" default:"red"`
	Mood  mood    `json:"mood,omitzero"`
}

type shelfLists struct {
	Tags  []string            `json:"tags,omitzero" validate:"max=2,unique,dive,min=2,alpha"`
	Pairs [2]int8             `json:"pairs" default:"[1,2]" validate:"dive,gte=-2"`
	Byes  map[string]*int     `json:"byes,omitzero" validate:"omitempty,max=2,dive,keys,max=2,endkeys,omitempty,min=2"`
	Codes map[uint8]color     `json:"codes,omitzero"`
	Kids  []*shelfKid         `json:"kids,omitzero" validate:"dive"`
	Tree  map[string]shelfKid `json:"tree,omitzero" validate:"dive"`
}

type shelfLeaves struct {
	Quote int16          `json:"quote,string" default:"3"`
	Any   any            `json:"any,omitzero"`
	List  []any          `json:"list,omitzero"`
	Raw   jsontext.Value `json:"raw,omitzero"`
	Exact *schema.Number `json:"exact"`
	At    time.Time      `json:"at,omitzero"`
	Wait  time.Duration  `json:"wait,omitzero"`
	ID    *uuid.UUID     `json:"id"`
	Addrs []netip.Addr   `json:"addrs,omitzero"`
}

type shelfRest struct {
	Bytes []byte             `json:"bytes,omitzero"`
	Four  [3]byte            `json:"four,omitzero"`
	Pair  pair[int8, *color] `json:"pair,omitzero"`
	ShelfBase
	*ShelfExtra
}

type (
	shelfKid struct {
		Kid  *shelfKid `json:"kid"`
		Kind string    `json:"kind" validate:"oneof=a ab 'a b'"`
		N    float64   `json:"n,omitzero" validate:"gte=-1,ne=2"`
		M    int32     `json:"m" default:"0"`
	}
	ShelfBase struct {
		Base string `json:"base,omitzero" validate:"omitempty,len=2|eq=abc"`
	}
	ShelfExtra struct {
		Extra *bool `json:"extra"`
		More  []int `json:"more" validate:"max=1"`
	}
)

// oracleOf gives a schema, as documents show it, to another implementation.
func oracleOf(t *testing.T, one *invopop.Schema) *jsonschema.Schema {
	t.Helper()
	text, err := schema.Encode(one)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("mem:params", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("mem:params")
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return s
}

// level is a place where rules are looked at.
type level struct {
	typ    *schema.Type
	rules  *schema.Rules
	quoted bool // a number written as a string: its rules are not told
}

// told reports whether the schema must refuse what is refused by the rule at
// a pointer.
func told(root *schema.Type, pointer, rule, param string) bool {
	levels := walk(level{typ: root}, pointer)
	for _, l := range levels { // of a map also the key, which has the same pointer
		if untold(l, rule) != "" {
			return false
		}
	}
	stated := true // also what is no rule of validator
	for _, l := range levels {
		if l.rules == nil {
			continue
		}
		for _, one := range l.rules.List {
			if name := ruleName(one); name == rule && (one.Param == param || one.Wire == param || one.Or != nil) {
				stated = stated && !l.quoted && schema.States(l.typ, one)
			}
		}
	}
	return stated
}

func ruleName(r schema.Rule) string {
	if r.Or == nil {
		return r.Name
	}
	var all []string
	for _, one := range r.Or {
		all = append(all, strings.TrimSuffix(one.Name+"="+one.Param, "="))
	}
	return strings.Join(all, "|")
}

// walk finds the value at a pointer, and in a map its key besides.
func walk(l level, pointer string) []level {
	if pointer == "" {
		return []level{l}
	}
	t := l.typ
	for t.Kind == schema.Pointer {
		t = t.Elem
	}
	step, rest, more := strings.Cut(pointer[1:], "/")
	if more {
		rest = "/" + rest
	}
	var elem, keys *schema.Rules
	if l.rules != nil {
		elem, keys = l.rules.Elem, l.rules.Keys
	}
	switch i := t.Lookup([]byte(step)); {
	case t.Kind == schema.Object && i >= 0:
		return walk(level{t.Fields[i].Type, t.Fields[i].Rules, t.Fields[i].Quoted}, rest)
	case t.Kind == schema.Array:
		return walk(level{t.Elem, elem, false}, rest)
	case t.Kind == schema.Map && rest == "":
		return []level{{t.Elem, elem, false}, {t.Key, keys, t.Key.Kind != schema.String}}
	case t.Kind == schema.Map:
		return walk(level{t.Elem, elem, false}, rest)
	}
	return []level{{typ: t}}
}

// schemaCheck compares the verdicts on one text.
func schemaCheck(p *params.Plan, typ *schema.Type, s *jsonschema.Schema, raw string) (problem string, taken bool) {
	_, bad, err := run(p, raw)
	if err != nil {
		return "no JSON: " + err.Error(), false
	}
	if !jsontext.Value(raw).IsValid() {
		return "", false // a name is given twice, and JSON Schema is about values
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(raw))
	if err != nil {
		return "no JSON for the oracle: " + err.Error(), false
	}
	refused := s.Validate(value)
	switch {
	case len(bad) == 0 && refused != nil:
		return "only the schema refuses: " + refused.Error(), true
	case len(bad) > 0 && refused == nil:
		for _, b := range bad {
			if told(typ, b.Pointer, b.Rule, b.Param) {
				return "only we refuse: " + show(bad), false
			}
		}
	}
	return "", len(bad) == 0
}

// Schemas and calls agree for types that nobody thought of, too.
func TestDrawnTypesAgreeWithTheirSchema(t *testing.T) { // R-V01 R-V02
	maker, w := typeMaker{newRand(8), false}, writer{newRand(9)}
	taken := 0
	for types := 0; types < 500; {
		rt := maker.object(3)
		p, faults := tryCompile(t, rt)
		if len(faults) > 0 {
			continue
		}
		types++
		m := schema.NewModel(config())
		typ, _ := m.OfParams(rt)
		s := oracleOf(t, m.InputObject(typ, schema.Style{}))
		for range 40 {
			raw := w.object(typ, 4)
			problem, ok := schemaCheck(p, typ, s, raw)
			if problem != "" {
				t.Fatalf("%v\n%s\n%s", rt, raw, problem)
			}
			if ok {
				taken++
			}
		}
	}
	if taken < 1000 {
		t.Errorf("only %d documents are taken: no good test", taken)
	}
}
