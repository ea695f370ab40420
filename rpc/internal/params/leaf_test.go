package params_test

import (
	stdjson "encoding/json"
	"errors"
	"math/big"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/facet-rpc/facet/rpc/schema"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"
)

// mood is an enum whose type reads its own text, in any case of letters.
type mood struct{ name string }

func (m mood) MarshalText() ([]byte, error) { return []byte(m.name), nil }
func (m *mood) UnmarshalText(b []byte) error {
	m.name = strings.ToLower(string(b))
	return nil
}

// grade is an enum of a type with its own JSON: 1 is written "one".
type grade int

func (g grade) MarshalJSON() ([]byte, error) {
	return []byte([]string{`"none"`, `"one"`, `"two"`}[g]), nil
}
func (g *grade) UnmarshalJSON(b []byte) error {
	switch string(b) {
	case `"one"`, `1`:
		*g = 1
	case `"two"`, `2`:
		*g = 2
	default:
		*g = 0
	}
	return nil
}

const (
	aString  = "type(string): must be a string"
	anObject = "type(object): must be an object"
	anArray  = "type(array): must be an array"
	notNull  = "null(): must not be null"
)

func TestBools(t *testing.T) {
	const bad = "type(boolean): must be a boolean"
	takes(t, row[bool]{raw: `true`, want: true}, row[bool]{raw: `false`},
		row[bool]{raw: `0`, refused: bad}, row[bool]{raw: `"true"`, refused: bad}, // R-C13
		row[bool]{raw: `null`, refused: notNull}, row[bool]{raw: `{}`, refused: bad}, row[bool]{raw: `[]`, refused: bad})
}

func TestStrings(t *testing.T) {
	takes(t, row[string]{raw: `""`}, row[string]{raw: `"a"`, want: "a"}, row[string]{raw: `"\u0061\n\ud83d\ude00é"`, want: "a\n😀é"},
		row[string]{raw: `5`, refused: aString}, row[string]{raw: `true`, refused: aString}, // R-C13
		row[string]{raw: `null`, refused: notNull}, row[string]{raw: `{"a":[1]}`, refused: aString}, row[string]{raw: `["a"]`, refused: aString})
}

func TestEnums(t *testing.T) {
	const colors = "enum(red, blue): must be one of: red, blue"
	takes(t, row[color]{raw: `"red"`, want: "red"}, row[color]{raw: `"r\u0065d"`, want: "red"},
		row[color]{raw: `"Red"`, refused: colors}, row[color]{raw: `""`, refused: colors}, row[color]{raw: `1`, refused: aString}, row[color]{raw: `null`, refused: notNull})
	takes(t, row[size]{raw: `1`, want: 1}, row[size]{raw: `2e1`, want: 20}, row[size]{raw: `20.0`, want: 20},
		row[size]{raw: `2`, refused: "enum(1, 20): must be one of: 1, 20"}, row[size]{raw: `"1"`, refused: "type(integer): must be an integer"})
	takes(t, row[[]color]{raw: `["red","green"]`, refused: "/v/1 " + colors})
	takes(t, row[*color]{raw: `null`}, row[*color]{raw: `"blue"`, want: ptr(color("blue"))}, row[*color]{raw: `"x"`, refused: colors})
	takes(t, row[map[color]int]{raw: `{"red":1}`, want: map[color]int{"red": 1}}, row[map[color]int]{raw: `{"x":1}`, refused: "/v/x " + colors})
	takes(t, row[map[size]int]{raw: `{"20":1}`, want: map[size]int{20: 1}}, row[map[size]int]{raw: `{"2":1}`, refused: "/v/2 enum(1, 20): must be one of: 1, 20"})
}

// The values of an enum are those that are listed, also where the type itself
// would take others: what is documented is what is done.
func TestEnumsOfTypesThatDecodeThemselves(t *testing.T) { // R-V02
	const moods, grades = "enum(glad, sad): must be one of: glad, sad", "enum(one, two): must be one of: one, two"
	takes(t, row[mood]{raw: `"glad"`, want: mood{"glad"}}, row[mood]{raw: `"s\u0061d"`, want: mood{"sad"}},
		row[mood]{raw: `"GLAD"`, refused: moods}, row[mood]{raw: `"bored"`, refused: moods}, row[mood]{raw: `7`, refused: aString})
	takes(t, row[map[mood]int]{raw: `{"sad":1}`, want: map[mood]int{{"sad"}: 1}}, row[map[mood]int]{raw: `{"SAD":1}`, refused: "/v/SAD " + moods})
	takes(t, row[grade]{raw: `"one"`, want: 1}, row[grade]{raw: `1`, refused: grades}, row[grade]{raw: `"none"`, refused: grades})
}

func TestBytes(t *testing.T) {
	const bad = "format(base64 text): must be base64 text"
	takes(t, row[[]byte]{raw: `""`, want: []byte{}}, row[[]byte]{raw: `"AQI="`, want: []byte{1, 2}}, row[[]byte]{raw: `"\u0041QI="`, want: []byte{1, 2}},
		row[[]byte]{raw: `"AQI"`, refused: bad},     // no padding
		row[[]byte]{raw: `"AQJ="`, refused: bad},    // bits behind the end
		row[[]byte]{raw: `"AQ\nI="`, refused: bad},  // a line break
		row[[]byte]{raw: `"-_8="`, refused: bad},    // the URL alphabet
		row[[]byte]{raw: `"AQI= "`, refused: bad},   // a space
		row[[]byte]{raw: `[1,2]`, refused: aString}, // numbers
		row[[]byte]{raw: `null`, refused: notNull})
	takes(t, row[[2]byte]{raw: `"AQI="`, want: [2]byte{1, 2}}, row[[2]byte]{raw: `"AQ=="`, refused: "len(2): must have the length 2"},
		row[[2]byte]{raw: `"AQIE"`, refused: "len(2): must have the length 2"}, row[[2]byte]{raw: `"?"`, refused: bad})
	takes(t, row[*[]byte]{raw: `null`}, row[*[]byte]{raw: `"AQ=="`, want: &[]byte{1}})
}

func TestTimes(t *testing.T) { // R-C13
	const bad = "format(a time such as 2026-01-02T15:04:05Z): must be a time such as 2026-01-02T15:04:05Z"
	at := func(s string) time.Time {
		v, err := time.Parse(time.RFC3339Nano, s)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	takes(t, row[time.Time]{raw: `"2026-01-02T15:04:05Z"`, want: at("2026-01-02T15:04:05Z")},
		row[time.Time]{raw: `"2026-01-02T15:04:05.123456789+02:00"`, want: at("2026-01-02T15:04:05.123456789+02:00")},
		row[time.Time]{raw: `"2026-01-02"`, refused: bad}, row[time.Time]{raw: `"2026-01-02 15:04:05Z"`, refused: bad},
		row[time.Time]{raw: `"2026-01-02T15:04:05"`, refused: bad}, row[time.Time]{raw: `"2026-02-30T15:04:05Z"`, refused: bad},
		row[time.Time]{raw: `"2026-01-02T1:04:05Z"`, refused: bad}, row[time.Time]{raw: `"2026-01-02T15:04:05,5Z"`, refused: bad},
		row[time.Time]{raw: `"2026-01-02T15:04:05+24:00"`, refused: bad}, row[time.Time]{raw: `"2026-01-02T24:00:00Z"`, refused: bad},
		row[time.Time]{raw: `""`, refused: bad}, row[time.Time]{raw: `1767366245`, refused: aString}, row[time.Time]{raw: `null`, refused: notNull})
}

func TestDurations(t *testing.T) {
	const bad = "format(a duration such as 1m30s): must be a duration such as 1m30s"
	takes(t, row[time.Duration]{raw: `"1m30s"`, want: 90 * time.Second}, row[time.Duration]{raw: `"-0.5h"`, want: -30 * time.Minute}, row[time.Duration]{raw: `"0"`},
		row[time.Duration]{raw: `"90"`, refused: bad}, row[time.Duration]{raw: `""`, refused: bad}, row[time.Duration]{raw: `"300000000h"`, refused: bad},
		row[time.Duration]{raw: `90000000000`, refused: aString}, row[time.Duration]{raw: `null`, refused: notNull})
}

// Types of others that read their own text: no list of known types is needed.
func TestTexts(t *testing.T) { // R-C13
	const bad = "format(text of the documented form): must be text of the documented form"
	id := uuid.MustParse("6ba7b810-9dad-11d1-80b4-00c04fd430c8")
	takes(t, row[uuid.UUID]{raw: `"6ba7b810-9dad-11d1-80b4-00c04fd430c8"`, want: id}, row[uuid.UUID]{raw: `"6ba7b810"`, refused: "format(a UUID): must be a UUID"},
		row[uuid.UUID]{raw: `""`, refused: "format(a UUID): must be a UUID"}, row[uuid.UUID]{raw: `1`, refused: aString}, row[uuid.UUID]{raw: `null`, refused: notNull})
	takes(t, row[netip.Addr]{raw: `"::1"`, want: netip.MustParseAddr("::1")}, row[netip.Addr]{raw: `"1.2.3"`, refused: bad}, row[netip.Addr]{raw: `[1]`, refused: aString})
	takes(t, row[map[netip.Addr]int]{raw: `{"::1":1}`, want: map[netip.Addr]int{netip.MustParseAddr("::1"): 1}}, row[map[netip.Addr]int]{raw: `{"x":1}`, refused: "/v/x " + bad})
	takes(t, row[*uuid.UUID]{raw: `null`}, row[*uuid.UUID]{raw: `"6ba7b810-9dad-11d1-80b4-00c04fd430c8"`, want: &id})
}

// keeper keeps the slice it is given, which encoding.TextUnmarshaler forbids
// and some do.
type keeper struct{ kept []byte }

func (k keeper) MarshalText() ([]byte, error)  { return k.kept, nil }
func (k *keeper) UnmarshalText(b []byte) error { k.kept = b; return nil }

// What was decoded does not change when the buffer of the request is used
// again.
func TestNothingPointsIntoTheRequest(t *testing.T) {
	type all struct {
		A string            `json:"a"`
		B []string          `json:"b"`
		C jsontext.Value    `json:"c"`
		D any               `json:"d"`
		E keeper            `json:"e"`
		F map[string]string `json:"f"`
		G schema.Number     `json:"g"`
		H []byte            `json:"h"`
		I *tagged           `json:"i"`
	}
	text := `{"a":"aa","b":["bb"],"c":[1,"c"],"d":{"d":["d",1]},"e":"ee","f":{"f":"ff"},"g":12,"h":"AQID","i":{"x":5}}`
	for _, pad := range []int{0, 4096} { // short params share one copy of the text
		p := compile[all](t)
		raw := []byte(text + strings.Repeat(" ", pad))
		v := p.New()
		if bad, err := p.Decode(raw, v, false); err != nil || len(bad) > 0 {
			t.Fatal(bad, err)
		}
		want := p.New()
		if _, err := p.Decode([]byte(text), want, false); err != nil {
			t.Fatal(err)
		}
		for i := range raw {
			raw[i] = 'Z'
		}
		if !reflect.DeepEqual(v.Interface(), want.Interface()) {
			t.Errorf("got %+v, want %+v", v, want)
		}
	}
}

// tagged has the decoder of encoding/json, streamed that of json/v2.
type tagged struct{ text string }

func (v tagged) MarshalJSON() ([]byte, error) { return []byte(v.text), nil }
func (v *tagged) UnmarshalJSON(b []byte) error {
	if string(b) == `"boom"` {
		panic("tagged")
	}
	if string(b) == `"no"` {
		return errors.New("params_test: reflect: no")
	}
	v.text = string(b)
	return nil
}

type streamed struct{ text string }

func (v streamed) MarshalJSONTo(e *jsontext.Encoder) error {
	return e.WriteValue(jsontext.Value(v.text))
}
func (v *streamed) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	raw, err := d.ReadValue()
	if err != nil {
		return err
	}
	if string(raw) == `"boom"` {
		panic("streamed")
	}
	if string(raw) == `"no"` {
		return errors.New("params_test: no")
	}
	v.text = string(raw)
	return nil
}

func TestCustomDecoders(t *testing.T) {
	const bad = "format(a value of the documented form): must be a value of the documented form"
	takes(t, row[tagged]{raw: `{"a": [1]}`, want: tagged{`{"a": [1]}`}}, row[tagged]{raw: `null`, want: tagged{`null`}}, // it decides for itself
		row[tagged]{raw: `"no"`, refused: bad}, row[tagged]{raw: `{"a":1,"a":2}`, refused: bad})
	takes(t, row[streamed]{raw: `{"a":[1]}`, want: streamed{`{"a":[1]}`}}, row[streamed]{raw: `null`, want: streamed{`null`}}, row[streamed]{raw: `"no"`, refused: bad})
	takes(t, row[*tagged]{raw: `null`}, row[*tagged]{raw: `1`, want: &tagged{"1"}})
	takes(t, row[[]streamed]{raw: `[1,"no"]`, refused: "/v/1 " + bad})
	takes(t, row[*big.Int]{raw: `123456789012345678901234567890`, want: func() *big.Int { i, _ := new(big.Int).SetString("123456789012345678901234567890", 10); return i }()},
		row[*big.Int]{raw: `null`}, row[*big.Int]{raw: `1.5`, refused: bad})
}

// A panic of a type's own decoder goes up to the one who rescues the call,
// and leaves nothing broken behind.
func TestPanicOfADecoder(t *testing.T) { // R-C14
	tag, stream := compile[one[tagged]](t), compile[one[streamed]](t)
	for range 20 {
		for _, c := range []struct {
			name string
			f    func()
		}{
			{"tagged", func() { _, _ = tag.Decode([]byte(`{"v":"boom"}`), tag.New(), false) }},
			{"streamed", func() { _, _ = stream.Decode([]byte(`{"v":"boom"}`), stream.New(), false) }},
		} {
			if got := caught(c.f); got != c.name {
				t.Fatalf("%s: the panic was %v", c.name, got)
			}
		}
		v := stream.New()
		bad, err := stream.Decode([]byte(`{"v":[1,2]}`), v, false)
		if err != nil || len(bad) > 0 || v.Interface().(one[streamed]).V.text != "[1,2]" {
			t.Fatal("after a panic:", v, bad, err)
		}
	}
}

func caught(f func()) (value any) {
	defer func() { value = recover() }()
	f()
	return nil
}

func TestRawJSONIsKeptAsWritten(t *testing.T) { // case C10: discovery-digital/jsonschema#20
	for _, raw := range []string{`null`, `[1, 2.50,"\u0061"]`, `{"b":1, "a":1e400}`, `12345678901234567890.0`, `" "`} {
		takes(t, row[jsontext.Value]{raw: raw, want: jsontext.Value(raw)})
		takes(t, row[stdjson.RawMessage]{raw: raw, want: stdjson.RawMessage(raw)})
	}
	takes(t, row[*jsontext.Value]{raw: `null`}, row[*jsontext.Value]{raw: `[ ]`, want: ptr(jsontext.Value(`[ ]`))})
	const twice = "duplicate(): is given twice"
	takes(t, row[jsontext.Value]{raw: `{"a":1,"a":2}`, refused: twice}, row[jsontext.Value]{raw: `[{"a":1,"\u0061":2}]`, refused: twice})
}
