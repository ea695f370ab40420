package params_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/rpc/internal/params"
	"github.com/facet-rpc/facet/rpc/scan"
	"github.com/go-json-experiment/json/jsontext"
)

// seeds are texts near the limits of what is taken.
func seeds(f *testing.F, more ...string) {
	for _, raw := range append(more, ``, `null`, `{}`, `[]`, ` [ ] `, `{"a":1,"\u0061":2}`, `{"a":1e400,"b":["x",null],"c":{"a":1,"c":null}}`,
		`{"list":[{"a":1.0,"d":{"k":256}}],"intMap":{"-0":1,"0":2,"01":3}}`, `{"any":[{"b":1,"b":2}],"raw":{"x":1,"x":2}}`, `{"at":"2026-01-02T1:04:05Z","wait":"1h","bytes":"AQ=="}`,
		`{"int":-9223372036854775809,"int8":1e2,"uint":-0.0,"float32":3.5e38}`, `[1,[1,2],{"a":{}}]`, `{"own":"boom"}`, "{\"text\":\"\xff\"}", `{"text":"\ud800"}`,
		strings.Repeat(`{"c":`, 70)+`1`+strings.Repeat(`}`, 70), `{"a":`+strings.Repeat("0", 400)+`}`, `{"a":0.`+strings.Repeat("0", 400)+`1e401}`) {
		f.Add(raw)
	}
}

// holds are what is true of every text, and whether it was taken.
func holds(t *testing.T, p *params.Plan, raw string) (v reflect.Value, taken bool) {
	v = p.New()
	bad, err := p.Decode([]byte(raw), v, false)
	if err != nil {
		if e, ok := err.(*scan.Error); !ok || e.Offset < 0 || e.Offset > len(raw) || bad != nil {
			t.Fatalf("%q: %v, %v", raw, err, bad)
		}
		if err := whole(raw); err == nil {
			t.Fatalf("%q is JSON, and we say %v", raw, err)
		}
		return v, false
	}
	if raw := strings.TrimSpace(raw); raw != "" && whole(raw) != nil {
		t.Fatalf("%q is no JSON, and we decode it", raw)
	}
	bad = p.Check(v, bad)
	size := 0
	for _, b := range bad {
		size += len(b.Pointer) + len(b.Message)
		if b.Pointer != "" && b.Pointer[0] != '/' || b.Rule == "" || b.Message == "" || goText.MatchString(b.Message) {
			t.Fatalf("%q: %+v", raw, b)
		}
	}
	if len(bad) > 101 || size > 101*70*(140+10) {
		t.Fatalf("%q: %d violations of %d bytes", raw, len(bad), size)
	}
	again, more, _ := run(p, raw)
	if strings.Join(verdicts(more), " ") != strings.Join(verdicts(bad), " ") || len(bad) == 0 && !reflect.DeepEqual(again.Interface(), v.Interface()) {
		t.Fatalf("%q: decoded twice, two outcomes", raw)
	}
	return v, len(bad) == 0
}

// whole reads one text by the scanner alone.
func whole(raw string) error {
	s := scan.Scanner{Src: []byte(raw)}
	if err := s.Skip(0); err != nil {
		return err
	}
	return s.End()
}

// FuzzByName: no text panics, is half decoded, or answered without bound, and
// objects are what json/v2 says they are.
func FuzzByName(f *testing.F) { // R-C14
	seeds(f)
	p, q, opts := compile[zooPart](f), compile[zoo](f), strictV2()
	f.Fuzz(func(t *testing.T, raw string) {
		if strings.Contains(raw, "boom") {
			return // the type panics at it
		}
		for _, plan := range []*params.Plan{p, q} {
			holds(t, plan, raw)
			if strings.HasPrefix(strings.TrimLeft(raw, " \t\r\n"), "{") && whole(raw) == nil {
				if problem, _ := comparesWithV2(plan, opts, raw); problem != "" {
					t.Fatalf("%q: %s", raw, problem)
				}
			}
		}
	})
}

// FuzzByPosition: an array is the same call as the object of its values.
func FuzzByPosition(f *testing.F) { // R-C01
	seeds(f, `["a",{"city":"c"},5,"n"]`, `["a",{"city":"c"}]`, `["",{"city":"c"},1.0,null]`, `["a"]`, `["a",{"city":"c"},5,"n",6]`)
	p := compile[transfer](f)
	names := []string{"from", "to", "sum", "note"}
	f.Fuzz(func(t *testing.T, raw string) {
		v, taken := holds(t, p, raw)
		if !strings.HasPrefix(strings.TrimLeft(raw, " \t\r\n"), "[") || whole(raw) != nil {
			return
		}
		var values []jsontext.Value
		s := scan.Scanner{Src: []byte(raw)}
		s.Peek()
		s.Pos++
		for s.Peek() != ']' {
			start := s.Pos
			if err := s.Skip(1); err != nil {
				t.Fatal(err)
			}
			values = append(values, jsontext.Value(raw[start:s.Pos]))
			if s.Peek() == ',' {
				s.Pos++
			}
		}
		if len(values) > len(names) {
			if taken {
				t.Fatalf("%q: too many values are taken", raw)
			}
			return
		}
		var members []string
		for i, value := range values {
			members = append(members, `"`+names[i]+`":`+string(value))
		}
		named, ok := holds(t, p, "{"+strings.Join(members, ",")+"}")
		if ok != taken || ok && !reflect.DeepEqual(named.Interface(), v.Interface()) {
			t.Fatalf("%q: by position %v %+v, by name %v %+v", raw, taken, v, ok, named)
		}
	})
}
