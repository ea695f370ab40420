package params_test

import (
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	rpcerrors "github.com/facet-rpc/facet/errors"
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
		{`{"sku":"a","price":1,"tags":["aa","b","c1"],"kind":"old"}`, []string{"/tags max(2): must have at most 2 items", "/kind oneof(new used): must be one of: new, used"}},
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
			"/price gt(0): must be more than 0", "/tags/0 min(2): must have at least 2 characters", "/kind oneof(new used): must be one of: new, used", "/other/a/name min(3): must have at least 3 characters",
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
	J string   `json:"j,omitempty" validate:"omitempty,oneof=a b 'c d' 'e0x2Cf'"`
	K string   `json:"k,omitempty" validate:"omitempty,noneof=a ''"`
	L string   `json:"l,omitempty" validate:"omitempty,oneofci=a b"`
	M []strict `json:"m,omitempty" validate:"unique=Name,dive"`
}

func TestMessagesOfRules(t *testing.T) {
	_, bad := decode[messages](t, `{"a":"q","b":"y","c":5,"d":4,"e":6,"f":"q","g":"q","h":[],"i":"r","j":"x","k":"a","l":"x","m":[{"name":"abc"},{"name":"abc"}]}`)
	same(t, "all", bad, "/a eq(x): must be x", "/b ne(y): must not be y", "/c lt(5): must be less than 5", "/d gte(5): must be at least 5", "/e lte(5): must be at most 5",
		"/f email(): must be an e-mail address", "/g startswith(z): must begin with z", "/h len(2): must have exactly 2 items", "/i eq=p|eq=q(): does not keep the rule eq=p|eq=q",
		`/j oneof(a b 'c d' 'e,f'): must be one of: a, b, "c d", "e,f"`, `/k noneof(a ''): must be none of: a, ""`, "/l oneofci(a b): must be one of, in any case: a, b", "/m unique(name): must have no equal items")
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

// Rules across fields change no verdict, neither of theirs nor of others.
func TestChecksAcrossFieldsAgreeWithValidator(t *testing.T) { // R-V03
	val := validator.New(validator.WithRequiredStructEnabled())
	m := typeMaker{newRand(3), true}
	types, across, broken := 0, 0, 0
	for types < 700 {
		rt := m.object(3)
		p, faults := tryCompile(t, rt)
		if len(faults) > 0 {
			continue
		}
		types++
		for range 40 {
			v := p.New()
			m.fill(v, 3)
			got := verdicts(p.Check(v, nil))
			slices.Sort(got)
			var want []string
			if caught(func() { want = oracle(val, v) }) != nil {
				continue // validator dives into a nil pointer to a list when a rule before it lets nil pass
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%v\n%+v\n got %q\nwant %q", rt, v, got, want)
			}
			if len(want) > 0 {
				broken++
			}
			if text := strings.Join(want, " "); strings.Contains(text, "field(") || strings.Contains(text, "_with") || strings.Contains(text, "_if") {
				across++
			}
		}
	}
	if broken < types*10 || across < types*4 {
		t.Errorf("%d broken, %d of them across fields: the values are no good test", broken, across)
	}
}

// A list that is wrong everywhere costs no more than an answer can hold, with
// a rule across fields in the type too.
func TestChecksAcrossFieldsAreBounded(t *testing.T) { // R-C14
	type many struct {
		List []int  `json:"list" validate:"dive,min=1"`
		Room []room `json:"room,omitempty" validate:"dive"`
		A    int    `json:"a"`
		B    int    `json:"b" validate:"gtefield=A"`
	}
	p := compile[many](t)
	v := p.New()
	raw := `{"list":[0` + strings.Repeat(",0", 500_000) + `],"a":1,"b":0}`
	if bad, err := p.Decode([]byte(raw), v, false); err != nil || len(bad) > 0 {
		t.Fatal(err, bad)
	}
	var bad []rpcerrors.Violation
	if allocated := bytesOf(func() { bad = p.Check(v, nil) }); allocated > 1<<20 {
		t.Errorf("a check of 1 MB allocates %d bytes", allocated)
	}
	if len(bad) != 100 || bad[99].Pointer != "/list/99" {
		t.Errorf("%d violations", len(bad))
	}
	rooms := `{"list":[1],"room":[` + strings.Repeat(`{"lowest":2,"highest":1,"sort":"a"},`, 20_000) + `{"lowest":2,"highest":1}],"a":1,"b":0}`
	v = p.New()
	if bad, err := p.Decode([]byte(rooms), v, false); err != nil || len(bad) > 0 {
		t.Fatal(err, bad)
	}
	if allocated := bytesOf(func() { bad = p.Check(v, nil) }); allocated > 1<<20 || len(bad) != 100 {
		t.Errorf("%d violations take %d bytes", len(bad), allocated)
	}
}

// bytesOf is what f allocates.
func bytesOf(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
