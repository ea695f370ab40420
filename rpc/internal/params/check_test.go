package params_test

import (
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/facet-rpc/facet/rpc/internal/params"
	"github.com/facet-rpc/facet/rpc/schema"
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
		{`{"sku":"","price":0}`, []string{"/sku required(): is required", "/price gt(0): must be more than 0"}},
		{`{"sku":"яяяяя","price":1}`, nil}, // characters, not bytes
		{`{"sku":"яяяяяя","price":1}`, []string{"/sku max(5): must be at most 5"}},
		{`{"sku":"a","price":1,"tags":["aa","b","c1"],"kind":"old"}`, []string{"/tags max(2): must be at most 2", "/kind oneof(new used): must be one of: new used"}},
		{`{"sku":"a","price":1,"tags":["aa","aa"]}`, []string{"/tags unique(): does not keep the rule unique"}},
		{`{"sku":"a","price":1,"tags":["b","c1"]}`, []string{"/tags/0 min(2): must be at least 2", "/tags/1 alpha(): does not keep the rule alpha"}},
		{`{"sku":"a","price":1,"attrs":{"ab":0,"c/~":1,"b":0,"de":1}}`, []string{"/attrs/ab gte(1): must be at least 1", "/attrs/b len(2): must have the length 2", "/attrs/b gte(1): must be at least 1", "/attrs/c~1~0 len(2): must have the length 2"}},
		{`{"sku":"a","price":1,"parts":[{"sku":"","price":1},null,{"sku":"b","price":1,"parts":[{"sku":"c","price":-1}]}]}`, []string{"/parts/0/sku required(): is required", "/parts/2/parts/0/price gt(0): must be more than 0"}},
		{`{"sku":"a","price":1,"owner":null}`, nil},
		{`{"sku":"a","price":1,"owner":{"name":"ab"},"other":{"b]c":{"name":"x"},"a.b":{"name":"y"}}}`, []string{"/owner/name min(3): must be at least 3", "/other/a.b/name min(3): must be at least 3", "/other/b]c/name min(3): must be at least 3"}},
		// By position the same names.
		{`["toolong",-1,["x"]]`, []string{"/sku max(5): must be at most 5", "/price gt(0): must be more than 0", "/tags/0 min(2): must be at least 2"}},
		// What could not be decoded is not blamed twice; everything else is named at once.
		{`{"sku":5,"price":0,"tags":["b",1],"kind":"old","owner":{},"other":{"a":{"name":"x"},"b":7}}`, []string{
			"/sku " + aString, "/tags/1 " + aString, "/owner/name" + required, "/other/b " + anObject,
			"/price gt(0): must be more than 0", "/tags/0 min(2): must be at least 2", "/kind oneof(new used): must be one of: new used", "/other/a/name min(3): must be at least 3",
		}},
		{`{}`, []string{"/sku" + required, "/price" + required}},
		// A list with elements that could not be read is not judged itself.
		{`{"sku":"a","price":1,"tags":["aa",5,"bb"]}`, []string{"/tags/1 " + aString}},
		{`["a"]`, []string{" count(2 to 8): takes 2 to 8 values by position, not 1", "/price" + required}},
		{`[""]`, []string{" count(2 to 8): takes 2 to 8 values by position, not 1", "/price" + required, "/sku required(): is required"}},
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
		"/f email(): does not keep the rule email", "/g startswith(z): does not keep the rule startswith=z", "/h len(2): must have the length 2", "/i eq=p|eq=q(): does not keep the rule eq=p|eq=q")
}

// Both mechanisms together are bounded too.
func TestChecksAreBounded(t *testing.T) { // R-C14
	part := func(sku, price string) string { return `{"sku":"` + sku + `","price":` + price + `}` }
	var parts []string
	for range 90 {
		parts = append(parts, part("a", `"x"`), part("toolong", "1"))
	}
	_, bad := decode[product](t, `{"sku":"a","price":1,"parts":[`+strings.Join(parts, ",")+`]}`)
	if len(bad) != 100 || bad[89] != "/parts/178/price "+aNumber || bad[90] != "/parts/1/sku max(5): must be at most 5" {
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

type Period struct {
	From int `json:"from"`
	To   int `json:"to" validate:"gtfield=From"`
}

type visit struct {
	Kind    string            `json:"kind"`
	Guests  *int64            `json:"guestCount" validate:"required_if=Kind party,omitempty,gte=2"`
	Email   string            `json:"eMail,omitempty"`
	Again   string            `json:"again,omitempty" validate:"eqfield=Email"`
	Phone   string            `json:"phone,omitempty" validate:"required_without=Email"`
	Rooms   []room            `json:"rooms,omitempty" validate:"dive"`
	ByName  map[string]room   `json:"byName,omitempty" validate:"dive"`
	ByCode  map[int][]*room   `json:"byCode,omitempty" validate:"dive,dive"`
	Between *Period           `json:"between"`
	Labels  map[string]string `json:"labels,omitempty" validate:"dive,keys,min=2,endkeys,max=2"`
	SKU     string            `json:"sku,omitempty" validate:"omitempty,sku"`
	N       int               `json:"n,omitzero" validate:"even"`
	Lists   *[]room           `json:"lists" validate:"dive"`
	Period
}

type room struct {
	Low  int    `json:"lowest"`
	High int    `json:"highest" validate:"gtefield=Low"`
	Kind string `json:"sort,omitempty" validate:"required_with=High,max=6"`
}

// Rules that look at other fields and rules of the application: validator sees
// the whole, and what it says is told in the names of the wire.
func TestRulesAcrossFields(t *testing.T) { // R-V03 case H01: go-playground/validator#597, #877
	const fine = `"from":1,"to":2,`
	for _, c := range []struct {
		raw  string
		want []string
	}{
		{`{` + fine + `"kind":"x","phone":"1"}`, nil},
		{`{` + fine + `"kind":"Type","phone":"1"}`, nil}, // case G07: go-playground/validator#1029
		{`{` + fine + `"kind":"party","phone":"1"}`, []string{"/guestCount required_if(kind party): does not keep the rule required_if=kind party"}},
		{`{` + fine + `"kind":"party","guestCount":1,"phone":"1"}`, []string{"/guestCount gte(2): must be at least 2"}},
		{`{` + fine + `"kind":"x"}`, []string{"/phone required_without(eMail): does not keep the rule required_without=eMail"}},
		{`{` + fine + `"kind":"x","eMail":"a","again":"b"}`, []string{"/again eqfield(eMail): does not keep the rule eqfield=eMail"}},
		{`{"from":2,"to":2,"kind":"x","phone":"1","between":{"from":1,"to":1}}`, []string{"/between/to gtfield(from): does not keep the rule gtfield=from", "/to gtfield(from): does not keep the rule gtfield=from"}},
		{`{` + fine + `"kind":"x","phone":"1","rooms":[{"lowest":1,"highest":2,"sort":"a"},{"lowest":2,"highest":1,"sort":"b"},{"lowest":1,"highest":1}]}`, []string{
			"/rooms/1/highest gtefield(lowest): does not keep the rule gtefield=lowest", "/rooms/2/sort required_with(highest): does not keep the rule required_with=highest",
		}},
		{`{` + fine + `"kind":"x","phone":"1","byName":{"a.b":{"lowest":2,"highest":1,"sort":"s"},"c]":{"lowest":2,"highest":1,"sort":"s"},"d[0]":{"lowest":2,"highest":1,"sort":"s"},"e][x":{"lowest":2,"highest":1,"sort":"s"},"e":{"lowest":1,"highest":1,"sort":"s"},"e/~":{"lowest":2,"highest":1,"sort":"s"},"":{"lowest":2,"highest":1,"sort":"s"},"a":{"lowest":2,"highest":1,"sort":"s"}}}`, []string{
			"/byName//highest gtefield(lowest): does not keep the rule gtefield=lowest", "/byName/a/highest gtefield(lowest): does not keep the rule gtefield=lowest",
			"/byName/a.b/highest gtefield(lowest): does not keep the rule gtefield=lowest", "/byName/c]/highest gtefield(lowest): does not keep the rule gtefield=lowest",
			"/byName/d[0]/highest gtefield(lowest): does not keep the rule gtefield=lowest", "/byName/e~1~0/highest gtefield(lowest): does not keep the rule gtefield=lowest", "/byName/e][x/highest gtefield(lowest): does not keep the rule gtefield=lowest",
		}},
		{`{` + fine + `"kind":"x","phone":"1","byCode":{"7":[null,{"lowest":2,"highest":1,"sort":"s"}],"-3":[{"lowest":1,"highest":1}]}}`, []string{
			"/byCode/-3/0/sort required_with(highest): does not keep the rule required_with=highest", "/byCode/7/1/highest gtefield(lowest): does not keep the rule gtefield=lowest",
		}},
		{`{` + fine + `"kind":"x","phone":"1","labels":{"a":"long","bb":"long","c":"ok"}}`, []string{"/labels/a min(2): must be at least 2", "/labels/a max(2): must be at most 2", "/labels/bb max(2): must be at most 2", "/labels/c min(2): must be at least 2"}},
		{`{` + fine + `"kind":"x","phone":"1","sku":"x","n":3}`, []string{"/sku sku(): must begin with sku-", "/n even(): does not keep the rule even"}}, // case H02: go-playground/validator#1094
		{`{` + fine + `"kind":"x","phone":"1","lists":null}`, nil},
		{`{` + fine + `"kind":"x","phone":"1","lists":[{"lowest":2,"highest":1,"sort":"s"}]}`, []string{"/lists/0/highest gtefield(lowest): does not keep the rule gtefield=lowest"}},
		{`{"to":"2","kind":5,"rooms":[{"lowest":2,"highest":1,"sort":"s"}],"sku":"x"}`, []string{
			"/to " + anInteger, "/kind " + aString, "/from" + required,
			"/phone required_without(eMail): does not keep the rule required_without=eMail", "/rooms/0/highest gtefield(lowest): does not keep the rule gtefield=lowest", "/sku sku(): must begin with sku-",
		}},
	} {
		for range 3 { // in the same order each time
			_, bad := decode[visit](t, c.raw, rules()...)
			same(t, c.raw, bad, c.want...)
		}
	}
}

type (
	// Words of a rule that are values stay, also when a field is called so.
	wordy struct {
		Kind string `json:"k"`
		Name string `json:"n,omitempty" validate:"required_if=Kind Name"`
		Both string `json:"b,omitempty" validate:"required_with_all=Kind Name"`
	}
	shadow struct {
		Low  string    `json:"lowText"`
		Room roomAgain `json:"room"`
	}
	roomAgain struct {
		Low  int `json:"min"`
		High int `json:"max" validate:"gtfield=Low"`
		Top  int `json:"top" validate:"ltecsfield=Low"`
	}
	crossStruct struct {
		Inner strictInt `json:"in"`
		Sum   int       `json:"sum" validate:"eqcsfield=Inner.Total"`
	}
	fromTop struct {
		Total int `json:"sum"`
		Inner struct {
			Part  int `json:"part" validate:"eqcsfield=Total"`
			Total int `json:"sumOfParts,omitzero"`
			Sum   int `json:"sum"`
		} `json:"in"`
	}
	strictInt struct {
		Total int `json:"total"`
	}
	generic[T any] struct {
		A T `json:"first"`
		B T `json:"second" validate:"eqfield=A"`
	}
)

func TestNamesInRules(t *testing.T) { // case H01: go-playground/validator#742, #1074
	_, bad := decode[wordy](t, `{"k":"Name"}`)
	same(t, "wordy", bad, "/n required_if(k Name): does not keep the rule required_if=k Name")
	_, bad = decode[wordy](t, `{"k":"x","n":"y"}`)
	same(t, "wordy", bad, "/b required_with_all(k n): does not keep the rule required_with_all=k n")
	_, bad = decode[shadow](t, `{"lowText":"","room":{"min":3,"max":2,"top":2}}`)
	same(t, "shadow", bad, "/room/max gtfield(min): does not keep the rule gtfield=min")
	_, bad = decode[fromTop](t, `{"sum":1,"in":{"part":2,"sum":2}}`)
	same(t, "from the top", bad, "/in/part eqcsfield(sum): does not keep the rule eqcsfield=sum")
	_, bad = decode[crossStruct](t, `{"in":{"total":2},"sum":1}`)
	same(t, "cross", bad, "/sum eqcsfield(in.total): does not keep the rule eqcsfield=in.total")
	_, bad = decode[generic[int]](t, `{"first":1,"second":2}`)
	same(t, "generic", bad, "/second eqfield(first): does not keep the rule eqfield=first")
	_, bad = decode[generic[schema.Number]](t, `{"first":1,"second":2}`) // a type argument with dots in its name
	same(t, "generic", bad, "/second eqfield(first): does not keep the rule eqfield=first")
	_, bad = decode[struct {
		Deep struct {
			A int `json:"x"`
			B int `json:"y" validate:"eqfield=A"`
		} `json:"deep"`
	}](t, `{"deep":{"x":1,"y":2}}`)
	same(t, "anonymous", bad, "/deep/y eqfield(x): does not keep the rule eqfield=x")
}

type (
	Outer struct {
		Low int `json:"low,omitzero"`
		*Inner
	}
	Inner struct {
		High int      `json:"high" validate:"gtefield=Base"`
		Base int      `json:"base"`
		List []*Outer `json:"list,omitzero" validate:"dive"`
	}
)

// Members of embedded structs stand where the wire has them, behind pointers
// too.
func TestRulesInEmbeddedStructs(t *testing.T) { // R-C05
	const broken = " gtefield(base): does not keep the rule gtefield=base"
	for raw, want := range map[string][]string{
		`{}`:                  nil,
		`{"low":1}`:           nil,
		`{"high":1,"base":2}`: {"/high" + broken},
		`{"high":2,"base":2,"list":[{"low":1},null,{"high":1,"base":2,"list":[{"base":1}]}]}`: {"/list/2/high" + broken, "/list/2/list/0/high" + broken},
	} {
		_, bad := decode[Outer](t, raw)
		same(t, raw, bad, want...)
	}
}

// tone is text that prints as something else.
type tone string

func (tone) String() string { return "a tone" }

// Keys are named as they came, whatever Go prints for them.
func TestNamesOfKeys(t *testing.T) { // R-C05
	type own struct {
		Moods map[mood]int `json:"moods" validate:"dive,min=1"`
		Tones map[tone]int `json:"tones" validate:"dive,min=1"`
	}
	type whole struct {
		own
		A int `json:"a,omitzero"`
		B int `json:"b,omitzero" validate:"eqfield=A"`
	}
	const raw = `{"moods":{"sad":0,"glad":0},"tones":{"low":0}}`
	want := []string{"/moods/glad min(1): must be at least 1", "/moods/sad min(1): must be at least 1", "/tones/low min(1): must be at least 1"}
	_, bad := decode[own](t, raw)
	same(t, raw, bad, want...)
	_, bad = decode[whole](t, raw)
	same(t, raw, bad, want...)
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
