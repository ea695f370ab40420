package scan_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/rpc/scan"
)

// walked lists what the walk over text meets, one level deep.
func walked(text string) (string, error) {
	s := scan.Scanner{Src: []byte(text)}
	var met []string
	value := func(at string) error {
		s.Peek()
		start := s.Pos
		err := s.Skip(1)
		if err == nil {
			met = append(met, at+"="+text[start:s.Pos])
		}
		return err
	}
	var err error
	if s.Peek() == '{' {
		err = s.Object(func(name []byte) error { return value(string(name)) })
	} else {
		err = s.Array(func(i int) error { return value(fmt.Sprint(i)) })
	}
	if err == nil {
		err = s.End()
	}
	return strings.Join(met, " "), err
}

func TestWalk(t *testing.T) {
	for _, c := range []struct{ text, want, fault string }{
		{`{}`, ``, ``},
		{` { } `, ``, ``},
		{`{"a":1,"b":{"c":[2]}}`, `a=1 b={"c":[2]}`, ``},
		{` { "a" : 1 , "\u0062" : "x" } `, `a=1 b="x"`, ``},
		{`{"a":1,"a":2}`, `a=1 a=2`, ``},
		{`{"a" 1}`, ``, `':' expected`},
		{`{a:1}`, ``, `member name expected`},
		{`{"a":1,}`, `a=1`, `member name expected`},
		{`{"a":1 "b":2}`, `a=1`, `',' or '}' expected`},
		{`{"a":1`, `a=1`, `',' or '}' expected, the text ends`},
		{`{"a":tru}`, ``, `invalid literal`},
		{"{\"\xff\":1}", ``, `invalid UTF-8`},
		{`[]`, ``, ``},
		{` [ 1 , "x" , [ 2 ] ] `, `0=1 1="x" 2=[ 2 ]`, ``},
		{`[1,]`, `0=1`, `value expected`},
		{`[1 2]`, `0=1`, `',' or ']' expected`},
		{`[1`, `0=1`, `',' or ']' expected, the text ends`},
	} {
		got, err := walked(c.text)
		var fault *scan.Error
		if got != c.want || (err == nil) != (c.fault == "") || err != nil && (!errors.As(err, &fault) || fault.Reason != c.fault) {
			t.Errorf("%s: got %q, %v; want %q, %q", c.text, got, err, c.want, c.fault)
		}
	}
}

// The walk ends with the error of who is called.
func TestWalkStops(t *testing.T) {
	stop := errors.New("enough")
	for _, text := range []string{`{"a":1,"b":2}`, `[1,2]`} {
		s := scan.Scanner{Src: []byte(text)}
		calls := 0
		var err error
		if s.Peek() == '{' {
			err = s.Object(func([]byte) error { calls++; return stop })
		} else {
			err = s.Array(func(int) error { calls++; return stop })
		}
		if err != stop || calls != 1 {
			t.Errorf("%s: %d calls, %v", text, calls, err)
		}
	}
}
