package params_test

import (
	"errors"
	"math/big"
	"net/netip"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc/internal/params"
	"github.com/facet-rpc/facet/rpc/schema"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"
)

// zoo has a member of every kind, without defaults and rules.
type zoo struct {
	Bool    bool               `json:"bool"`
	Int     int                `json:"int"`
	Int8    int8               `json:"int8"`
	Uint    uint16             `json:"uint"`
	Float   float64            `json:"float"`
	Float32 float32            `json:"float32"`
	Text    string             `json:"text"`
	Bytes   []byte             `json:"bytes"`
	Fixed   [2]byte            `json:"fixed"`
	At      time.Time          `json:"at"`
	Wait    time.Duration      `json:"wait"`
	ID      uuid.UUID          `json:"id"`
	Addr    netip.Addr         `json:"addr"`
	Exact   schema.Number      `json:"exact"`
	Any     any                `json:"any"`
	Raw     jsontext.Value     `json:"raw"`
	Own     tagged             `json:"own"`
	Big     *big.Int           `json:"big"`
	List    []zooPart          `json:"list,omitzero"`
	Array   [2]int             `json:"array"`
	Map     map[string]zooPart `json:"map,omitzero"`
	IntMap  map[int8]*int      `json:"intMap,omitzero"`
	AddrMap map[netip.Addr]any `json:"addrMap,omitzero"`
	Ptr     *zooPart           `json:"ptr"`
	PtrPtr  **string           `json:"ptrPtr"`
	Color   color              `json:"color"`
	ZooBase
	*ZooExtra
}

type (
	zooPart struct {
		A int               `json:"a"`
		B []string          `json:"b,omitzero"`
		C *zooPart          `json:"c"`
		D map[string]*uint8 `json:"d,omitzero"`
	}
	ZooBase struct {
		Base string `json:"base"`
	}
	ZooExtra struct {
		Extra *float64 `json:"extra"`
	}
)

// strictV2 is json/v2 as near to our decoder as its options bring it.
func strictV2() json.Options {
	var number func(*jsontext.Decoder) (any, error)
	number = func(d *jsontext.Decoder) (any, error) {
		switch d.PeekKind() {
		case '0':
			raw, err := d.ReadValue()
			return schema.Number(raw), err
		case '[':
			list := []any{}
			_, err := d.ReadToken()
			for err == nil && d.PeekKind() != ']' {
				var x any
				if x, err = number(d); err == nil {
					list = append(list, x)
				}
			}
			if err == nil {
				_, err = d.ReadToken()
			}
			return list, err
		case '{':
			object := map[string]any{}
			_, err := d.ReadToken()
			for err == nil && d.PeekKind() != '}' {
				var name, x any
				if name, err = number(d); err == nil {
					if x, err = number(d); err == nil {
						object[name.(string)] = x
					}
				}
			}
			if err == nil {
				_, err = d.ReadToken()
			}
			return object, err
		}
		var x any
		err := json.UnmarshalDecode(d, &x)
		return x, err
	}
	return json.JoinOptions(json.RejectUnknownMembers(true), json.WithUnmarshalers(json.JoinUnmarshalers(
		json.UnmarshalFromFunc(func(d *jsontext.Decoder, v *any) (err error) {
			if k := d.PeekKind(); k != '0' && k != '[' && k != '{' {
				return errors.ErrUnsupported
			}
			*v, err = number(d)
			return err
		}),
		json.UnmarshalFunc(func(raw []byte, v *time.Duration) error {
			var text string
			if err := json.Unmarshal(raw, &text); err != nil {
				return err
			}
			d, err := time.ParseDuration(text)
			*v = d
			return err
		}),
		json.UnmarshalFunc(func(raw []byte, v *schema.Number) error {
			if jsontext.Value(raw).Kind() != '0' {
				return errors.New("no number")
			}
			*v = schema.Number(raw)
			return nil
		}),
	)))
}

// stricter are the rules by which we refuse what json/v2 takes.
var stricter = map[string]string{
	"required":                            "v2 leaves an absent member zero",
	"null":                                "v2 makes null the zero value of anything",
	"enum":                                "v2 knows no enums",
	"a time such as 2026-01-02T15:04:05Z": "v2 takes times that are none by RFC 3339",
}

// looser is what we take and json/v2 does not: integers written with a fraction
// or an exponent, and -0 without a sign of the type.
var looser = regexp.MustCompile(`[0-9][.eE][-+0-9]|-0`)

// comparesWithV2 reports what one text shows, "" when both agree or differ in
// a way that is listed.
func comparesWithV2(p *params.Plan, opts json.Options, raw string) (problem string, taken bool) {
	v := p.New()
	bad, err := p.Decode([]byte(raw), v, false)
	other := p.New()
	otherErr := json.Unmarshal([]byte(raw), other.Addr().Interface(), opts)
	switch {
	case err == nil && len(bad) == 0 && otherErr == nil:
		if !reflect.DeepEqual(v.Interface(), other.Interface()) {
			return "the values differ", true
		}
		return "", true
	case err == nil && len(bad) == 0:
		if !looser.MatchString(raw) {
			return "only v2 refuses: " + otherErr.Error(), true
		}
	case otherErr == nil && err != nil:
		return "only v2 takes, we say " + err.Error(), false
	case otherErr == nil:
		for _, b := range bad {
			if stricter[b.Rule] == "" && stricter[b.Param] == "" {
				return "only we refuse: " + show(bad), false
			}
		}
	}
	return "", err == nil && len(bad) == 0
}

func show(bad []rpcerrors.Violation) string { return strings.Join(verdicts(bad), ", ") }

func TestDecodeAgreesWithJSONv2(t *testing.T) { // R-C13
	p, opts := compile[zoo](t), strictV2()
	typ, _ := schema.NewModel(config()).OfParams(reflect.TypeFor[zoo]())
	part, _ := schema.NewModel(config()).OfParams(reflect.TypeFor[zooPart]())
	partPlan := compile[zooPart](t)
	w := writer{newRand(42)}
	taken := 0
	const documents = 45_000
	for i := range documents {
		plan, raw := p, ""
		if i%3 == 0 {
			raw = w.value(typ, 4)
		} else {
			plan, raw = partPlan, w.value(part, 5)
		}
		if i%5 == 4 {
			raw = w.mutate(raw)
		}
		if !strings.HasPrefix(strings.TrimSpace(raw), "{") {
			continue // null and arrays are params too
		}
		problem, ok := comparesWithV2(plan, opts, raw)
		if problem != "" {
			t.Fatalf("%s\n%s", raw, problem)
		}
		if ok {
			taken++
		}
	}
	if taken < documents/10 {
		t.Errorf("only %d of %d documents are taken: no good test", taken, documents)
	}
}
