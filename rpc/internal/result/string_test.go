package result_test

import (
	"bytes"
	stdjson "encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// TestRepaired: invalid UTF-8 becomes U+FFFD wherever it stands, and is told.
func TestRepaired(t *testing.T) {
	for _, c := range []struct {
		value any
		want  string
	}{
		{"\xff", `"�"`},
		{"a\xff\xfeb\xc3", `"a��b�"`},
		{"\xed\xa0\x80", `"���"`}, // a surrogate
		{strings.Repeat("x", 5000) + "\"\xff", `"` + strings.Repeat("x", 5000) + `\"�"`},
		{[]string{"fine", "\xff"}, `["fine","�"]`},
		{map[string]int{"\xff": 1}, `{"�":1}`},
		{map[string]string{"b": "\xff", "a\xff": "c"}, `{"a�":"c","b":"�"}`},
		{[]shout{{"\xff"}}, `["�"]`},
		{[]whisper{"\xff"}, `["�"]`},
		{map[whisper]int{"\xff": 1}, `{"�":1}`},
		{[]broken{{"{\"\xff\":\"\xff\"}"}}, `[{"�":"�"}]`},
		{[]jsontext.Value{jsontext.Value("\"\\u0041\xff\xff\"")}, `["\u0041��"]`},
		{[]stdjson.RawMessage{stdjson.RawMessage("\"\xff\"")}, `["�"]`},
		{struct {
			Any any `json:"any,omitempty"`
		}{"\xff"}, `{"any":"�"}`},
		{struct { // the schema refuses it for Out: json/v2 writes the whole
			Note string  `json:"note"`
			Out  outOnly `json:"out"`
		}{Note: "\xff"}, `{"note":"�","out":"<0>"}`},
	} {
		value := []any{c.value}
		out, repaired, err := planOf(t, reflect.TypeFor[[]any]()).Append(nil, reflect.ValueOf(value))
		if err != nil || !repaired || string(out) != "["+c.want+"]" {
			t.Errorf("%q: got %s, repaired %v, error %v; want %s", c.value, out, repaired, err, c.want)
		}
	}
}

// TestNotRepaired: U+FFFD as such is text like any other.
func TestNotRepaired(t *testing.T) {
	value := []any{"\ufffd", jsontext.Value(`"\ufffd"`), custom{"\ufffd"}, map[string]int{"\ufffd": 1}}
	out, repaired, err := planOf(t, reflect.TypeFor[[]any]()).Append(nil, reflect.ValueOf(value))
	if want := `["�","\ufffd","�",{"�":1}]`; err != nil || repaired || string(out) != want {
		t.Errorf("got %s, repaired %v, error %v; want %s", out, repaired, err, want)
	}
}

// FuzzString: strings are quoted as [jsontext.AppendQuote] does it.
func FuzzString(f *testing.F) {
	for i := range 70 {
		for _, s := range []string{`"`, `\`, "\n", "\x1f", "\x7f", "\xff", "\u2028", "ї", "<", "\x00"} {
			f.Add(strings.Repeat("a", i) + s + "tail")
		}
	}
	for _, s := range []string{`"`, "\x1f", "\xff", "ї"} {
		f.Add(strings.Repeat("0123456789abcdef", 600) + s)
		f.Add(s + strings.Repeat("0123456789abcdef", 600))
	}
	plan := planOf(f, reflect.TypeFor[string]())
	f.Fuzz(func(t *testing.T, s string) {
		want, invalid := jsontext.AppendQuote([]byte("["), s)
		got, repaired, err := plan.Append([]byte("["), reflect.ValueOf(&s).Elem())
		if err != nil || repaired != (invalid != nil) || !bytes.Equal(got, want) {
			t.Errorf("%q: got %s, repaired %v, error %v; want %s, %v", s, got, repaired, err, want, invalid)
		}
	})
}

// forgetful does not append to what it is given.
type forgetful int

func (forgetful) AppendText([]byte) ([]byte, error) { return []byte("fresh"), nil }
func (*forgetful) UnmarshalText([]byte) error       { return nil }

// TestForgetful: a type that does not append cannot take away what was written
// before it.
func TestForgetful(t *testing.T) {
	out, _, err := planOf(t, reflect.TypeFor[[]forgetful]()).Append([]byte("id:"), reflect.ValueOf([]forgetful{1, 2}))
	if want := `id:["fresh","fresh"]`; err != nil || string(out) != want {
		t.Errorf("got %s, error %v; want %s", out, err, want)
	}
}

// A text of nothing but bytes to be escaped costs a few times one of none, at
// every length: it once cost a look at 4 KiB for each of them.
func TestEscapesAreLinear(t *testing.T) { // R-C14
	p := planOf(t, reflect.TypeFor[string]())
	dst := make([]byte, 0, 8<<20)
	fastest := func(text string) time.Duration {
		best := time.Hour
		for range 5 {
			start := time.Now()
			if _, _, err := p.Append(dst, reflect.ValueOf(&text).Elem()); err != nil {
				t.Fatal(err)
			}
			best = min(best, time.Since(start))
		}
		return best
	}
	const size = 1 << 20
	plain := fastest(strings.Repeat("a", size))
	for _, c := range []string{"\n", `"`, "\x00", "a\n"} {
		if got := fastest(strings.Repeat(c, size/len(c))); got > 200*plain {
			t.Errorf("1 MiB of %q takes %v, plain text %v", c, got, plain)
		}
	}
}
