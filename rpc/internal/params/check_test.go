package params_test

import (
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/facet-rpc/facet/rpc/internal/params"
	"github.com/go-playground/validator/v10"
)

type product struct {
	SKU   string            `json:"sku" validate:"required,max=5"`
	Price float64           `json:"price" validate:"gt=0"`
	Tags  []string          `json:"tags,omitzero" validate:"max=2,unique,dive,min=2,alpha"`
	Attrs map[string]int    `json:"attrs,omitzero" validate:"dive,keys,len=2,endkeys,gte=1"`
	Kind  string            `json:"kind" default:"new" validate:"oneof=new used"`
	Parts []*product        `json:"parts,omitzero" validate:"dive"`
	Owner *strict           `json:"owner"`
	Other map[string]strict `json:"other,omitzero" validate:"dive"`
}

func TestRules(t *testing.T) { // R-V01 R-C05
	for _, c := range []struct {
		raw  string
		want []string
	}{
		{`{"sku":"a","price":1}`, nil},
		{`{"sku":"","price":0}`, []string{"/sku required(): must not be empty", "/price gt(0): must be more than 0"}},
		{`{"sku":"яяяяя","price":1}`, nil}, // characters, not bytes
		{`{"sku":"яяяяяя","price":1}`, []string{"/sku max(5): must have at most 5 characters"}},
		{`{"sku":"a","price":1,"tags":["aa","b","c1"],"kind":"old"}`, []string{"/tags max(2): must have at most 2 items", "/kind oneof(new used): must be one of: new used"}},
		{`{"sku":"a","price":1,"tags":["aa","aa"]}`, []string{"/tags unique(): must have no equal items"}},
		{`{"sku":"a","price":1,"tags":["b","c1"]}`, []string{"/tags/0 min(2): must have at least 2 characters", "/tags/1 alpha(): must have letters only"}},
		{`{"sku":"a","price":1,"attrs":{"ab":0,"c/~":1,"b":0,"de":1}}`, []string{"/attrs/ab gte(1): must be at least 1", "/attrs/b len(2): must have exactly 2 characters", "/attrs/b gte(1): must be at least 1", "/attrs/c~1~0 len(2): must have exactly 2 characters"}},
		{`{"sku":"a","price":1,"parts":[{"sku":"","price":1},null,{"sku":"b","price":1,"parts":[{"sku":"c","price":-1}]}]}`, []string{"/parts/0/sku required(): must not be empty", "/parts/2/parts/0/price gt(0): must be more than 0"}},
		{`{"sku":"a","price":1,"owner":null}`, nil},
		{`{"sku":"a","price":1,"owner":{"name":"ab"},"other":{"b]c":{"name":"x"},"a.b":{"name":"y"}}}`, []string{"/owner/name min(3): must have at least 3 characters", "/other/a.b/name min(3): must have at least 3 characters", "/other/b]c/name min(3): must have at least 3 characters"}},
		// By position the same names.
		{`["toolong",-1,["x"]]`, []string{"/sku max(5): must have at most 5 characters", "/price gt(0): must be more than 0", "/tags/0 min(2): must have at least 2 characters"}},
		// What could not be decoded is not blamed twice; everything else is named at once.
		{`{"sku":5,"price":0,"tags":["b",1],"kind":"old","owner":{},"other":{"a":{"name":"x"},"b":7}}`, []string{
			"/sku " + aString, "/tags/1 " + aString, "/owner/name" + required, "/other/b " + anObject,
			"/price gt(0): must be more than 0", "/tags/0 min(2): must have at least 2 characters", "/kind oneof(new used): must be one of: new used", "/other/a/name min(3): must have at least 3 characters",
		}},
		{`{}`, []string{"/sku" + required, "/price" + required}},
		// A list with elements that could not be read is not judged itself.
		{`{"sku":"a","price":1,"tags":["aa",5,"bb"]}`, []string{"/tags/1 " + aString}},
		{`["a"]`, []string{" count(2 to 8): takes 2 to 8 values by position, not 1", "/price" + required}},
		{`[""]`, []string{" count(2 to 8): takes 2 to 8 values by position, not 1", "/price" + required, "/sku required(): must not be empty"}},
		{`"x"`, []string{" " + anObject}},
	} {
		_, bad := decode[product](t, c.raw)
		same(t, c.raw, bad, c.want...)
	}
}

type messages struct {
	A string   `json:"a,omitempty" validate:"omitempty,eq=x"`
	B string   `json:"b,omitempty" validate:"omitempty,ne=y"`
	C int      `json:"c,omitzero" validate:"omitempty,lt=5"`
	D int      `json:"d,omitzero" validate:"omitempty,gte=5"`
	E int      `json:"e,omitzero" validate:"lte=5"`
	F string   `json:"f,omitempty" validate:"omitempty,email"`
	G string   `json:"g,omitempty" validate:"omitempty,startswith=z"`
	H []string `json:"h,omitempty" validate:"omitempty,len=2"`
	I string   `json:"i,omitempty" validate:"omitempty,eq=p|eq=q"`
}

func TestMessagesOfRules(t *testing.T) {
	_, bad := decode[messages](t, `{"a":"q","b":"y","c":5,"d":4,"e":6,"f":"q","g":"q","h":[],"i":"r"}`)
	same(t, "all", bad, "/a eq(x): must be x", "/b ne(y): must not be y", "/c lt(5): must be less than 5", "/d gte(5): must be at least 5", "/e lte(5): must be at most 5",
		"/f email(): must be an e-mail address", "/g startswith(z): must begin with z", "/h len(2): must have exactly 2 items", "/i eq=p|eq=q(): does not keep the rule eq=p|eq=q")
}

// Both mechanisms together are bounded too.
func TestChecksAreBounded(t *testing.T) { // R-C14
	part := func(sku, price string) string { return `{"sku":"` + sku + `","price":` + price + `}` }
	var parts []string
	for range 90 {
		parts = append(parts, part("a", `"x"`), part("toolong", "1"))
	}
	_, bad := decode[product](t, `{"sku":"a","price":1,"parts":[`+strings.Join(parts, ",")+`]}`)
	if len(bad) != 100 || bad[89] != "/parts/178/price "+aNumber || bad[90] != "/parts/1/sku max(5): must have at most 5 characters" {
		t.Errorf("%d violations: %q", len(bad), bad)
	}
	_, bad = decode[product](t, `{"sku":"a","price":1,"parts":[`+strings.Repeat(part("toolong", "1")+",", 1000)+part("a", "1")+`]}`)
	if len(bad) != 100 {
		t.Errorf("%d violations", len(bad))
	}
	_, bad = decode[struct {
		A []strict `json:"a" validate:"dive"`
		B []strict `json:"b" validate:"dive"`
	}](t, `{"a":[`+strings.Repeat(`{"name":""},`, 200)+`{"name":""}],"b":[`+strings.Repeat(`{"name":""},`, 200)+`{"name":""}]}`)
	if len(bad) != 100 {
		t.Errorf("%d violations", len(bad))
	}
}

// A plan without rules says so, and one with rules somewhere below.
func TestRuled(t *testing.T) {
	for p, want := range map[*params.Plan]bool{
		compile[order](t): false, compile[none](t): false, compile[product](t): true, compile[one[[]map[string]*none]](t): false,
		compile[struct {
			M map[string]*strict `json:"m" validate:"dive"`
		}](t): true,
	} {
		if p.Ruled() != want {
			t.Errorf("%v: Ruled is %v", p.New().Type(), !want)
		}
	}
}

// One compiler checks many calls at once: nothing of one call is seen in
// another.
func TestChecksAtOnce(t *testing.T) { // case H02
	p := compile[visit](t, rules()...)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			raw := `{"from":1,"to":2,"kind":"x","phone":"1","n":3}`
			want := "n"
			if i%2 == 0 {
				raw, want = `{"from":1,"to":2,"kind":"x","phone":"1","sku":"x"}`, "sku"
			}
			for range 200 {
				if _, bad, err := run(p, raw); err != nil || len(bad) != 1 || bad[0].Pointer != "/"+want {
					t.Errorf("%s: %v, %v", raw, bad, err)
					return
				}
			}
		})
	}
	all.Wait()
}

// The whole given to validator says the same as our own checks: a rule across
// fields elsewhere changes no verdict.
func TestBothWaysOfCheckingAgree(t *testing.T) {
	val := validator.New(validator.WithRequiredStructEnabled())
	m := typeMaker{newRand(3)}
	type cross struct {
		A int `json:"a"`
		B int `json:"b" validate:"gtefield=A"`
	}
	for types := 0; types < 250; {
		inner := m.object(2)
		if _, faults := tryCompile(t, inner); len(faults) > 0 {
			continue
		}
		types++
		outer := reflect.StructOf([]reflect.StructField{
			{Name: "X", Type: inner, Tag: `json:"x"`}, {Name: "Y", Type: reflect.TypeFor[cross](), Tag: `json:"y"`},
		})
		p, faults := tryCompile(t, outer)
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		for range 20 {
			v := p.New()
			m.fill(v, 3)
			got, want := verdicts(p.Check(v, nil)), oracle(val, v)
			if slices.Sort(got); !slices.Equal(got, toWire(want)) {
				t.Fatalf("%v\n%+v\n got %q\nwant %q", outer, v, got, want)
			}
		}
	}
}

func toWire(list []string) []string {
	for i := range list {
		list[i] = strings.Replace(list[i], "gtefield(A)", "gtefield(a)", 1)
	}
	return list
}
