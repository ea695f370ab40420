package scan_test

import (
	"errors"
	"testing"

	"github.com/facet-rpc/facet/rpc/scan"
	"github.com/go-json-experiment/json/jsontext"
)

// FuzzSkip holds the scanner against jsontext: the same verdict on every text, and the same
// value of every string.
func FuzzSkip(f *testing.F) {
	for _, text := range []string{
		`{"a":[1,-0.5e+3,"\u00e9\ud83d\ude00",null,true,false,{}]}`, `{"a":1,"a":2}`, `"\ud800"`, `"\udbff\u0041"`,
		"\"\xff\"", "\"\xe2\x82\xac\"", `01`, `1.`, `-`, ` `, `[1,]`, `{}{}`, "\"\x1f\"", "\ufeff{}", order,
		`"0123456\"01234567\\0123456789"`, "\"1234567\u00e912345678\u20ac\"",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s := scan.Scanner{Src: text}
		err := s.Skip(0)
		if err == nil {
			err = s.End()
		}
		var e *scan.Error
		if errors.As(err, &e) {
			if e.Offset < 0 || e.Offset > len(text) {
				t.Fatalf("offset %d of %d", e.Offset, len(text))
			}
			if e.Depth {
				return
			}
		}
		want := jsontext.Value(text).IsValid(jsontext.AllowDuplicateNames(true))
		if (err == nil) != want {
			t.Fatalf("%q: got %v, jsontext says valid=%v", text, err, want)
		}
		eachString(t, text)
	})
}

// eachString compares every string that begins in text, valid or not.
func eachString(t *testing.T, text []byte) {
	for i, c := range text {
		if c != '"' {
			continue
		}
		s := scan.Scanner{Src: text, Pos: i}
		raw, escaped, err := s.Str()
		if err != nil {
			continue
		}
		want, err := jsontext.AppendUnquote(nil, text[i:s.Pos])
		if err != nil {
			t.Fatalf("%q: jsontext says %v", text[i:s.Pos], err)
		}
		got := raw
		if escaped {
			got = scan.Unquote(raw)
		}
		if string(got) != string(want) {
			t.Fatalf("%q: got %q, want %q", raw, got, want)
		}
	}
}
