package params_test

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc/internal/params"
	"github.com/facet-rpc/facet/rpc/schema"
)

// color and size are the enums of these tests: text and a number.
type (
	color string
	size  int
)

func config() schema.Config {
	return schema.Config{
		Enums: []schema.Enum{
			{Type: reflect.TypeFor[color](), Values: []schema.Constant{{Value: color("red")}, {Value: color("blue")}}},
			{Type: reflect.TypeFor[size](), Values: []schema.Constant{{Value: size(1)}, {Value: size(20)}}},
			{Type: reflect.TypeFor[mood](), Values: []schema.Constant{{Value: mood{"glad"}}, {Value: mood{"sad"}}}},
			{Type: reflect.TypeFor[grade](), Values: []schema.Constant{{Value: grade(1)}, {Value: grade(2)}}},
		},
		Rules: map[string]bool{"sku": true, "even": true, "boom": true},
	}
}

// compile makes the plan of T. Faults end the test.
func compile[T any](t testing.TB, rules ...params.Rule) *params.Plan {
	t.Helper()
	p, faults := tryCompile(t, reflect.TypeFor[T](), rules...)
	for _, f := range faults {
		t.Fatal(f)
	}
	return p
}

func tryCompile(t testing.TB, rt reflect.Type, rules ...params.Rule) (*params.Plan, []schema.Fault) {
	t.Helper()
	typ, faults := schema.NewModel(config()).OfParams(rt)
	if len(faults) > 0 {
		return nil, faults
	}
	c, err := params.NewCompiler(rules)
	if err != nil {
		t.Fatal(err)
	}
	return c.Plan(typ)
}

// run decodes and checks raw, as the executor does.
func run(p *params.Plan, raw string) (reflect.Value, []rpcerrors.Violation, error) {
	v := p.New()
	bad, err := p.Decode([]byte(raw), v, false)
	if err == nil && p.Ruled() {
		bad = p.Check(v, bad)
	}
	return v, bad, err
}

// decode is run for a T, with the violations as text.
func decode[T any](t testing.TB, raw string, rules ...params.Rule) (T, []string) {
	t.Helper()
	v, bad, err := run(compile[T](t, rules...), raw)
	if err != nil {
		t.Fatalf("%.200s: %v", raw, err)
	}
	return v.Interface().(T), texts(t, bad)
}

// goText is what must never be in a text for a caller: he does not know Go.
var goText = regexp.MustCompile(`params_test|reflect|struct\b|\bu?int\d|\bfloat\d|\[\]|map\[|\btime\.|json:|nmarshal|strconv|validat|Go\b|\bnil\b`)

// texts writes each violation as `/pointer rule(param): message`, and holds
// every message against goText: JSON names only (case H01).
func texts(t testing.TB, bad []rpcerrors.Violation) (out []string) { // R-C05
	t.Helper()
	for _, v := range bad {
		if goText.MatchString(v.Message + " " + v.Param + " " + v.Rule) {
			t.Errorf("go-playground/validator#597: the violation %+v speaks of Go", v)
		}
		if v.Message == "" {
			t.Errorf("the violation %+v has no message", v)
		}
		out = append(out, fmt.Sprintf("%s %s(%s): %s", v.Pointer, v.Rule, v.Param, v.Message))
	}
	return out
}

// same compares violations written as text, in order.
func same(t testing.TB, raw string, got []string, want ...string) {
	t.Helper()
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%.300s\n got: %s\nwant: %s", raw, strings.Join(got, "\n      "), strings.Join(want, "\n      "))
	}
}

// one is an object with one member of a type.
type one[T any] struct {
	V T `json:"v"`
}

// row is one value of a kind: taken as want, or refused.
type row[T any] struct {
	raw     string
	want    T
	refused string // at /v, or at the pointer it begins with
}

// takes runs rows for a member of type T.
func takes[T any](t *testing.T, rows ...row[T]) {
	t.Helper()
	p := compile[one[T]](t)
	for _, r := range rows {
		raw := `{"v":` + r.raw + `}`
		v, bad, err := run(p, raw)
		if err != nil {
			t.Errorf("%.200s: %v", raw, err)
			continue
		}
		got := v.Interface().(one[T]).V
		if r.refused == "" {
			same(t, raw, texts(t, bad))
			if !reflect.DeepEqual(got, r.want) {
				t.Errorf("%.200s: got %#v, want %#v", raw, got, r.want)
			}
			continue
		}
		want := r.refused
		if !strings.HasPrefix(want, "/") {
			want = "/v " + want
		}
		same(t, raw, texts(t, bad), want)
	}
}

func ptr[T any](v T) *T { return &v }
