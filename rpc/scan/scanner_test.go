package scan_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/rpc/scan"
)

// whole checks a text that must be one value.
func whole(text string, maxDepth int) error {
	s := scan.Scanner{Src: []byte(text), MaxDepth: maxDepth}
	if err := s.Skip(0); err != nil {
		return err
	}
	return s.End()
}

func TestSkipAccepts(t *testing.T) {
	for _, text := range []string{
		`null`, `true`, `false`, `0`, `-0`, `12`, `-1.5`, `1e3`, `1E+3`, `0.0e-0`, `9007199254740993`,
		`""`, `"a"`, `"\"\\\/\b\f\n\r\t"`, `"\u00e9\u0000"`, `"\ud83d\uDE00"`, `"ключ 日本 😀"`, "\"\x7f\"",
		`{}`, `[]`, `{"a":1}`, `{"a":1,"a":2}`, `[1,[2,{"b":[]}],"c"]`, `{"":""}`,
		" \t\r\n[ 1 , 2 ] \n", ` { "a" : null } `,
	} {
		if err := whole(text, 0); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestSkipRefuses(t *testing.T) {
	for _, c := range []struct {
		text, reason string
		offset       int
	}{
		{``, "value expected, the text ends", 0},
		{" \n ", "value expected, the text ends", 3}, // case A19
		{`{`, "member name expected, the text ends", 1},
		{`[`, "value expected, the text ends", 1},
		{`{"a"`, "':' expected, the text ends", 4},
		{`{"a" 1}`, "':' expected", 5},
		{`{"a":1`, "',' or '}' expected, the text ends", 6},
		{`{"a":1,}`, "member name expected", 7},
		{`{a:1}`, "member name expected", 1},
		{`[1,]`, "value expected", 3},
		{`[1 2]`, "',' or ']' expected", 3},
		{`]`, "value expected", 0},
		{"\x00", "value expected", 0},
		{"\ufeff1", "value expected", 0},
		{"\v1", "value expected", 0},
		{`nul`, "invalid literal", 0},
		{`True`, "value expected", 0},
		{`NaN`, "value expected", 0},
		{`truex`, "trailing data", 4},
		{`{} x`, "trailing data", 3},  // case A20
		{`{}{}`, "trailing data", 2},  // case A20
		{"1\x00", "trailing data", 1}, // a NUL byte is not the end
		{`-`, "invalid number: digit expected, the text ends", 1},
		{`-x`, "invalid number: digit expected", 1},
		{`+1`, "value expected", 0},
		{`.5`, "value expected", 0},
		{`01`, "trailing data", 1},
		{`1.`, "invalid number: digit expected, the text ends", 2},
		{`1.e3`, "invalid number: digit expected", 2},
		{`1e`, "invalid number: digit expected, the text ends", 2},
		{`1e+`, "invalid number: digit expected, the text ends", 3},
		{`"`, "unterminated string", 1},
		{`"abcdefghij`, "unterminated string", 11},
		{`"abc\`, "unterminated string", 4},
		{"\"abc\ndef\"", "control character in string", 4},
		{"\"\x00\"", "control character in string", 1},
		{"\"0123456789\x1f\"", "control character in string", 11},
		{`"\x"`, "unknown escape in string", 1},
		{`"\u12g4"`, `\u must be followed by four hexadecimal digits`, 1},
		{`"\u12`, `\u must be followed by four hexadecimal digits`, 1},
		{"\"a\xff\"", "invalid UTF-8", 2},            // case A22
		{"\"\xc0\xaf\"", "invalid UTF-8", 1},         // overlong
		{"\"\xed\xa0\x80\"", "invalid UTF-8", 1},     // a surrogate in UTF-8
		{"\"\xf4\x90\x80\x80\"", "invalid UTF-8", 1}, // above U+10FFFF
		{"\"ключ\xd0\"", "invalid UTF-8", 9},         // cut in the middle
		{"\"\xe2\x82", "invalid UTF-8", 1},           // cut by the end
		{`"\ud800"`, "lone surrogate in string", 1},  // case A22
		{`"\udc00"`, "lone surrogate in string", 1},  // case A22
		{`"x\ud800\ud800"`, "lone surrogate in string", 2},
		{`"\udc00\udc00"`, "lone surrogate in string", 1},
		{`"\ud800x"`, "lone surrogate in string", 1},
		{`"\ud800\n12345"`, "lone surrogate in string", 1},
		{`"\ud800\uzzzz"`, "lone surrogate in string", 1},
	} {
		err := whole(c.text, 0)
		var e *scan.Error
		if !errors.As(err, &e) {
			t.Errorf("%q: got %v, want an *Error", c.text, err)
			continue
		}
		if e.Reason != c.reason || e.Offset != c.offset || e.Depth {
			t.Errorf("%q: got %+v, want %q at %d", c.text, *e, c.reason, c.offset)
		}
	}
}

// case B06: golang/go#31789
func TestDepth(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	object := func(n int) string { return strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) }
	for _, c := range []struct {
		name, text string
		max        int
		refused    bool
	}{
		{"64 arrays, the default", deep(64), 0, false},
		{"65 arrays, the default", deep(65), 0, true},
		{"64 objects, the default", object(64), 0, false},
		{"65 objects, the default", object(65), 0, true},
		{"one level", `[1]`, 1, false},
		{"two levels of one", `[[]]`, 1, true},
		{"1 MB of brackets", strings.Repeat("[", 1<<20), 0, true},
		{"200 000 members", strings.Repeat(`{"a":`, 200_000), 0, true},
		{"10 000 levels when asked for", deep(10_000), 10_000, false},
	} {
		err := whole(c.text, c.max)
		var e *scan.Error
		if got := errors.As(err, &e) && e.Depth; got != c.refused || (err != nil) != c.refused {
			t.Errorf("%s: got %v", c.name, err)
		}
	}
}

func TestErrorText(t *testing.T) {
	err := whole(`{"name":"abc`, 0)
	if got, want := err.Error(), "invalid JSON at byte 12: unterminated string"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	err = whole(`[[[1]]]`, 2)
	if got, want := err.Error(), "nested deeper than 2 levels, at byte 2"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestNum(t *testing.T) {
	for _, c := range []struct {
		text, raw string
		integer   bool
	}{
		{"0,", "0", true}, {"-0", "-0", true}, {"12]", "12", true}, {"-9007199254740993}", "-9007199254740993", true},
		{"1.0", "1.0", false}, {"1e2 ", "1e2", false}, {"-1.5E-7", "-1.5E-7", false},
	} {
		s := scan.Scanner{Src: []byte(c.text)}
		raw, integer, err := s.Num()
		if err != nil || string(raw) != c.raw || integer != c.integer || s.Pos != len(c.raw) {
			t.Errorf("%s: got %q %v %v at %d", c.text, raw, integer, err, s.Pos)
		}
	}
}

func TestStr(t *testing.T) {
	for _, c := range []struct {
		text, raw, value string
		escaped          bool
	}{
		{`"":`, ``, ``, false},
		{`"jsonrpc":`, `jsonrpc`, `jsonrpc`, false},
		{`"naïve 日本"`, `naïve 日本`, `naïve 日本`, false},
		{`"\u0069\u0064"`, `\u0069\u0064`, `id`, true},
		{`"a\"b\\c\/d"`, `a\"b\\c\/d`, `a"b\c/d`, true},
		{`"\b\f\n\r\t"`, `\b\f\n\r\t`, "\b\f\n\r\t", true},
		{`"\u20AC\ud83d\ude00\u0000"`, `\u20AC\ud83d\ude00\u0000`, "€😀\x00", true},
	} {
		s := scan.Scanner{Src: []byte(c.text)}
		raw, escaped, err := s.Str()
		if err != nil || string(raw) != c.raw || escaped != c.escaped || s.Pos != len(c.raw)+2 {
			t.Errorf("%s: got %q %v %v at %d", c.text, raw, escaped, err, s.Pos)
		}
		if got := string(scan.Unquote(raw)); got != c.value {
			t.Errorf("%s: unquoted %q, want %q", c.text, got, c.value)
		}
		if got := string(scan.AppendUnquote([]byte("x"), raw)); got != "x"+c.value {
			t.Errorf("%s: appended %q", c.text, got)
		}
	}
	s := scan.Scanner{Src: []byte(`1`)}
	if _, _, err := s.Str(); err == nil {
		t.Error("a number was read as a string")
	}
}

// A caller that appends to what it was given must not write over the rest of the text.
func TestSlicesHaveNoRoom(t *testing.T) {
	text := []byte(`"abc"12,34`)
	s := scan.Scanner{Src: text}
	raw, _, _ := s.Str()
	_ = append(raw, "XYZ"...)
	num, _, _ := s.Num()
	_ = append(num, "XYZ"...)
	if string(text) != `"abc"12,34` {
		t.Errorf("the text became %s", text)
	}
}

func TestNoAllocation(t *testing.T) {
	text := []byte(order)
	dst := make([]byte, 0, 64)
	escaped := []byte(`\u0069\n`)
	n := testing.AllocsPerRun(100, func() {
		s := scan.Scanner{Src: text}
		if s.Skip(0) != nil || s.End() != nil {
			t.Fatal("refused")
		}
		dst = scan.AppendUnquote(dst[:0], escaped)
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}
