package schema_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/rpc/schema"
	"github.com/go-playground/validator/v10"
)

// corpora are values of a type around the edges of rules.
func corpus(rt reflect.Type) []reflect.Value {
	var out []reflect.Value
	add := func(vs ...any) {
		for _, v := range vs {
			out = append(out, reflect.ValueOf(v).Convert(rt))
		}
	}
	switch rt.Kind() {
	case reflect.String:
		add("", "a", "A", "ab", "abc", "abcd", "a b", "0", "1", "-1", "+1.5", "007", "1.", "0xfF", "ff", "#fff", "#FFFFFF", "é", "éé", "ÉÉ", "日本",
			"𝒳", "x-y", "x]y", "a\\b", "^", "true", "T", "tRUE", "a,b", "a|b", "+380501234567", "380501234567", "a\n", "\n", "a.b", "aXb",
			"123e4567-e89b-42d3-a456-426614174000", "123E4567-E89B-42D3-A456-426614174000", "123e4567-e89b-12d3-a456-426614174000",
			"01ARZ3NDEKTSV4RRFFQ69G5FAV", "aGVsbG8=", "aGVsbA==", "_-8=", "host.example", "1host", "-x", "d41d8cd98f00b204e9800998ecf8427e", "507f1f77bcf86cd799439011")
		r, letters := rand.New(rand.NewPCG(7, 8)), []rune("aAbBzX019 .-+#]^\\|,éЖ\n")
		for n := range 60 {
			var b strings.Builder
			for range n % 7 {
				b.WriteRune(letters[r.IntN(len(letters))])
			}
			add(b.String())
		}
	case reflect.Bool:
		add(true, false)
	case reflect.Float32, reflect.Float64:
		add(0, 1, -1, 1.5, 0.1, 2, 3, 10, 100)
	case reflect.Int, reflect.Int8, reflect.Int64:
		add(0, 1, -1, 2, 3, 10, 100, -128, 127)
	case reflect.Uint, reflect.Uint8:
		add(0, 1, 2, 3, 10, 100, 255)
	case reflect.Pointer:
		out = append(out, reflect.Zero(rt))
		for _, v := range corpus(rt.Elem()) {
			p := reflect.New(rt.Elem())
			p.Elem().Set(v)
			out = append(out, p)
		}
	case reflect.Slice:
		elems := corpus(rt.Elem())
		out = append(out, reflect.MakeSlice(rt, 0, 0))
		r := rand.New(rand.NewPCG(3, 4))
		for n := range 40 {
			s := reflect.MakeSlice(rt, 0, 0)
			for range n % 5 {
				s = reflect.Append(s, elems[r.IntN(len(elems))])
			}
			out = append(out, s)
		}
	case reflect.Map:
		keys, elems := corpus(rt.Key()), corpus(rt.Elem())
		r := rand.New(rand.NewPCG(5, 6))
		for n := range 40 {
			m := reflect.MakeMap(rt)
			for range n % 4 {
				m.SetMapIndex(keys[r.IntN(len(keys))], elems[r.IntN(len(elems))])
			}
			out = append(out, m)
		}
	}
	return out
}

// R-V01: the schema says yes exactly when validator does, for every rule that
// it states.
func TestSchemaAndValidatorAgree(t *testing.T) {
	text, number, float := reflect.TypeFor[string](), reflect.TypeFor[int](), reflect.TypeFor[float64]()
	stringTags := strings.Fields(`required min=2 max=2 len=2 gt=1 gte=2 lt=3 lte=2 gt=-2 min=-1 eq=ab ne=ab eq=0x2C oneof=a eq=a0x2Cb
		alpha alphaspace alphanum alphanumspace numeric number hexadecimal hexcolor e164 boolean uuid uuid_rfc4122 uuid3 uuid4 uuid5 uuid7 uuid4_rfc4122
		ulid ascii printascii base64 base64url md5 mongodb hostname_rfc1123 sha256 sha512 isdefault
		startswith=a endswith=b contains=b contains=. contains=a0x7Cb containsany=^- containsany=]x containsany=\ containsrune=bX startsnotwith=a endsnotwith=b
		excludes=b excludesall=ab] excludesrune=bX alpha|numeric min=3|eq=a required,max=1 startswith=a,endswith=b,contains=X
		omitempty,min=2 omitempty,alpha omitempty,max=1 omitempty,oneof=ab omitempty,ne=ab omitempty,contains=b omitempty,alpha|numeric omitzero,min=2 omitnil,min=2`)
	stringTags = append(stringTags, "oneof=a 'a b' 007", "noneof=a 'a b'")
	tests := []struct {
		types []reflect.Type
		tags  []string
	}{
		{[]reflect.Type{text}, stringTags},
		{[]reflect.Type{reflect.TypeFor[*string]()}, []string{"required", "required,min=2", "omitempty,min=2", "omitnil,alpha", "omitzero,min=2", "omitempty,ne=ab", "omitempty,alpha|numeric"}},
		{[]reflect.Type{number, reflect.TypeFor[int8]()}, []string{"min=1", "max=2", "gt=1", "lt=2", "eq=1", "ne=1", "len=1", "gte=-1", "lte=0x10",
			"oneof=1 02 3", "noneof=1 2", "numeric", "number", "port", "isdefault", "omitempty,min=2", "omitempty,oneof=1 2", "omitzero,gt=1", "omitempty,lt=0", "omitempty,ne=0", "min=3|eq=1"}},
		{[]reflect.Type{reflect.TypeFor[uint](), reflect.TypeFor[uint8]()}, []string{"min=1", "max=2", "gt=1", "lt=2", "eq=1", "ne=1", "oneof=1 02 3", "port", "omitempty,min=2"}},
		{[]reflect.Type{float, reflect.TypeFor[float32]()}, []string{"min=0.1", "max=1.5", "gt=0.1", "lt=1.5", "eq=1.5", "ne=1e1", "len=2", "numeric", "omitempty,min=2"}},
		{[]reflect.Type{reflect.TypeFor[*int64](), reflect.TypeFor[*uint8](), reflect.TypeFor[*float32]()}, []string{"required", "required,min=2", "omitempty,min=2", "omitzero,min=2", "omitnil,max=1"}},
		{[]reflect.Type{reflect.TypeFor[bool]()}, []string{"eq=true", "eq=false", "ne=true", "boolean", "isdefault", "omitempty,eq=true"}},
		{[]reflect.Type{reflect.TypeFor[[]string](), reflect.TypeFor[[]int](), reflect.TypeFor[[]*string](), reflect.TypeFor[map[string]int](), reflect.TypeFor[map[string]string]()},
			[]string{"required", "min=1", "max=2", "len=2", "gt=1", "lt=2", "eq=1", "ne=1", "omitempty,min=2", "omitzero,min=2", "dive,min=2", "min=1,dive,max=2", "dive,omitempty,min=2"}},
		{[]reflect.Type{reflect.TypeFor[[]string](), reflect.TypeFor[[]int]()}, []string{"unique", "unique,min=2"}},
		{[]reflect.Type{reflect.TypeFor[map[string]string]()}, []string{"dive,keys,alpha,endkeys,numeric", "dive,keys,oneof=a b,endkeys,min=1", "dive,keys,min=2,endkeys"}},
		{[]reflect.Type{reflect.TypeFor[[][]string]()}, []string{"dive,min=1,dive,max=1"}},
	}
	for _, tt := range tests {
		for _, rt := range tt.types {
			for _, tag := range tt.tags {
				agree(t, rt, tag)
			}
		}
	}
}

// agree compares the two on every value that corpus has for rt.
func agree(t *testing.T, rt reflect.Type, tag string) {
	t.Helper()
	holder := reflect.StructOf([]reflect.StructField{{Name: "V", Type: rt, Tag: reflect.StructTag(fmt.Sprintf("json:\"v\" validate:%q", tag))}})
	m := newModel()
	typ, faults := m.OfParams(holder)
	if faults != nil {
		t.Fatalf("%s %q: %v", rt, tag, faults)
	}
	text := render(t, m.Member(&typ.Fields[0], schema.Style{}))
	if strings.Contains(text, "x-validate") {
		t.Errorf("%s %q is not stated: %s", rt, tag, text)
		return
	}
	if f := typ.Fields[0]; f.Type.Elem == nil {
		for _, rule := range f.Rules.List {
			if !schema.States(f.Type, rule) {
				t.Errorf("%s: the schema states %q but States denies it", rt, rule.Name)
			}
		}
	}
	compiled, check := compile(t, text), validator.New()
	for _, v := range corpus(rt) {
		value := reflect.New(holder).Elem()
		value.Field(0).Set(v)
		raw, err := encode(v.Interface())
		if err != nil {
			t.Fatal(err)
		}
		schemaErr, ruleErr := verdict(t, compiled, raw), check.Struct(value.Interface())
		if null := string(raw) == "null"; null && typ.Fields[0].Required && schemaErr == nil {
			t.Errorf("%s %q is required and yet may be null: %s", rt, tag, text)
		}
		if (schemaErr == nil) != (ruleErr == nil) {
			t.Errorf("%s %q on %s: schema says %v, validator says %v; %s", rt, tag, raw, schemaErr, ruleErr, text)
		}
	}
}

// Rules that are only hinted at refuse no more than validator does, but for
// the cases listed.
func TestHintsAreLaxer(t *testing.T) {
	values := []string{"", "a@b.example", "a@b", "é@b.example", "a@localhost", "http://x.example/", "HTTPS://x.example", "http://", "/rel", "ftp://x", "1.2.3.4", "::1", "::ffff:1.2.3.4",
		"host.example", "1host", "2026-01-02", "2026-01-02T03:04:05Z", "2026-13-02", "x", "X", "éé", "ÉÉ"}
	stricter := map[string][]string{"email": {"é@b.example"}, "ipv4": {"::ffff:1.2.3.4"}}
	for _, tag := range []string{"email", "url", "http_url", "https_url", "ipv4", "ipv6", "ip", "hostname", "datetime=2006-01-02", "datetime=2006-01-02T15:04:05Z07:00", "lowercase", "uppercase"} {
		holder := reflect.StructOf([]reflect.StructField{{Name: "V", Type: reflect.TypeFor[string](), Tag: reflect.StructTag(fmt.Sprintf("json:\"v\" validate:%q", tag))}})
		m := newModel()
		typ, _ := m.OfParams(holder)
		f := &typ.Fields[0]
		if schema.States(f.Type, f.Rules.List[0]) {
			t.Errorf("%s is said to be stated exactly", tag)
		}
		compiled, check := compile(t, render(t, m.Member(f, schema.Style{}))), validator.New()
		for _, v := range values {
			raw, _ := encode(v)
			if check.Var(v, tag) == nil && verdict(t, compiled, raw) != nil && !slices.Contains(stricter[tag], v) {
				t.Errorf("%s refuses %q, validator does not", tag, v)
			}
		}
	}
}

// R-V03
func TestTheRestIsVerbatim(t *testing.T) {
	for tag, want := range map[string]string{
		"gtfield=Min": "gtfield=lowest", "required_if=Kind 'a b'": "required_if=sort 'a b'", "required_with=Min Kind": "required_with=lowest sort",
		"eqfield=Inner.Name": "eqfield=in.name", "eqfield=List[0].Name": "eqfield=list[0].name", "gtfield=Min|len=5": "gtfield=lowest|len=5",
		"omitempty,eqcsfield=Deep": "omitempty,eqcsfield=deepest", "credit_card": "credit_card", "omitempty,cidr": "omitempty,cidr", "sku": "sku",
		"datetime=15:04": "datetime=15:04", "email|cidr": "email|cidr", "unique=Name": "unique=name", "validateFn=Check": "validateFn",
		"dive,nefield=Min": "nefield=lowest",
	} {
		rt := reflect.TypeFor[string]()
		if strings.HasPrefix(tag, "unique") {
			rt = reflect.TypeFor[[]twoNames]()
		}
		if strings.HasPrefix(tag, "dive") {
			rt = reflect.TypeFor[[]string]()
		}
		holder := reflect.StructOf([]reflect.StructField{
			{Name: "V", Type: rt, Tag: reflect.StructTag(fmt.Sprintf("json:\"v\" validate:%q", tag))},
			{Name: "Min", Type: reflect.TypeFor[*string](), Tag: `json:"lowest"`}, {Name: "Kind", Type: reflect.TypeFor[string](), Tag: `json:"sort"`},
			{Name: "Inner", Type: reflect.TypeFor[twoNames](), Tag: `json:"in"`}, {Name: "List", Type: reflect.TypeFor[[]twoNames](), Tag: `json:"list"`},
			{Name: "Deeper", Type: reflect.TypeFor[Deeper](), Anonymous: true},
		})
		m := newModel()
		typ, faults := m.OfParams(holder)
		if faults != nil {
			t.Fatal(faults)
		}
		if got := render(t, m.Member(&typ.Fields[0], schema.Style{})); !strings.Contains(got, fmt.Sprintf(`"x-validate":%q`, want)) {
			t.Errorf("%s: %s", tag, got)
		}
	}
}

type (
	twoNames struct {
		Name string `json:"name"`
	}
	Deeper struct {
		Deep string `json:"deepest"`
	}
)

// The names are those of the validator in go.mod: a rule that it gets or
// loses shows here.
func TestRuleNames(t *testing.T) {
	f := runtime.FuncForPC(reflect.ValueOf(validator.New).Pointer())
	file, _ := f.FileLine(f.Entry())
	source, err := os.ReadFile(filepath.Join(filepath.Dir(file), "baked_in.go"))
	if err != nil {
		t.Fatalf("validator's source, from which its rules are read: %v", err)
	}
	var theirs []string
	for _, m := range regexp.MustCompile(`(?m)^\t\t"(\w+)":\s`).FindAllStringSubmatch(string(source), -1) {
		theirs = append(theirs, m[1])
	}
	if len(theirs) < 150 {
		t.Fatalf("found only %d rules", len(theirs))
	}
	for _, name := range theirs {
		holder := reflect.StructOf([]reflect.StructField{{Name: "V", Type: reflect.TypeFor[any](), Tag: reflect.StructTag(fmt.Sprintf("json:\"v\" validate:%q", name))}})
		if _, faults := newModel().OfParams(holder); len(faults) > 0 && strings.Contains(faults[0].Problem, "no rule") {
			t.Errorf("%s is unknown to us", name)
		}
	}
	ours := knownRules(t)
	for _, name := range ours {
		if !slices.Contains(theirs, name) {
			t.Errorf("validator has no rule %s", name)
		}
	}
}

// knownRules reads the names out of the package's source.
func knownRules(t *testing.T) []string {
	source, err := os.ReadFile("rulenames.go")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(source), "ruleNames = `")
	names, _, _ := strings.Cut(rest, "`")
	return strings.Fields(names)
}
