package params_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc/schema"
	"github.com/go-playground/validator/v10"
)

// tagsOf are tags to draw from, by kind of field. Only what our own checks
// claim to do stands here, and a few of validator's, to see both side by side.
var tagsOf = map[reflect.Kind][]string{
	reflect.String: {"required", "min=2", "max=3", "len=2", "gt=1", "gte=2", "lt=3", "lte=2", "eq=ab", "ne=ab", "oneof=ab c я", "oneof='a b' c", "min=1,max=2", "omitempty,min=2",
		"omitempty,oneof=ab c", "required,max=2", "min=2,omitempty", "alpha", "omitempty,alpha,min=2", "min=2,alpha", "eq=a|eq=b", "omitzero,min=2", "omitnil,min=2", "eq=", "min=0x2"},
	reflect.Int:       {"min=-1", "max=1", "gt=0", "gte=1", "lt=1", "lte=0", "eq=1", "ne=0", "len=1", "oneof=-1 0 2", "omitempty,min=1", "min=-2,max=2", "omitempty,oneof=1 2", "max=0x1", "eq=1|eq=2", "isdefault"},
	reflect.Uint8:     {"min=1", "max=2", "gt=1", "lt=2", "eq=2", "ne=1", "oneof=0 2", "omitempty,gt=1", "len=2"},
	reflect.Float64:   {"min=0.5", "max=1.5", "gt=0", "lt=1.5", "gte=0.5", "lte=0", "eq=1.5", "ne=0", "omitempty,min=1", "len=1.5"},
	reflect.Float32:   {"min=0.1", "max=0.1", "eq=0.1", "gt=0.1", "lt=0.1"},
	reflect.Bool:      {"eq=true", "ne=true", "omitempty,eq=true"},
	reflect.Slice:     {"required", "min=1", "max=1", "len=2", "gt=0", "lt=2", "omitempty,min=2", "required,min=1", "omitnil,min=1", "unique", "omitempty,unique", "omitzero,min=1"},
	reflect.Array:     {"required", "min=1", "len=2", "omitempty,len=2", "max=1"},
	reflect.Map:       {"required", "min=1", "max=1", "len=1", "omitempty,min=2", "gte=1", "lt=1", "omitzero,min=2"},
	reflect.Struct:    {"required", "", "omitempty"},
	reflect.Interface: {"required", "omitempty", "omitnil", "omitempty,required"},
}

// typeMaker draws types with validate tags.
type typeMaker struct {
	*rand.Rand
	across bool // rules that look at other fields too
}

// acrossTags are rules between the fields A, B and C; those that do not fit
// are refused at registration.
var acrossTags = []string{
	"required_with=A", "required_with=B C", "required_without=A", "required_with_all=A B", "required_without_all=B C", "excluded_with=A", "excluded_without=B",
	"required_if=A ab", "required_if=B 1", "required_unless=A 1", "excluded_if=C ab", "eqfield=A", "nefield=B", "gtfield=A", "ltefield=C", "omitempty,gtefield=B",
	"eqcsfield=A", "skip_unless=A ab", "required_with=A,omitempty,ne=ab", "gtfield=A|gtfield=B", "required,nefield=A",
}

func (m typeMaker) leaf() reflect.Type {
	return []reflect.Type{
		reflect.TypeFor[string](), reflect.TypeFor[string](), reflect.TypeFor[int](), reflect.TypeFor[uint8](), reflect.TypeFor[float64](), reflect.TypeFor[float32](),
		reflect.TypeFor[bool](), reflect.TypeFor[time.Time](), reflect.TypeFor[time.Duration](), reflect.TypeFor[any](), reflect.TypeFor[[]byte](), reflect.TypeFor[mood](), reflect.TypeFor[color](), reflect.TypeFor[schema.Number](),
	}[m.IntN(14)]
}

// typ draws a type and a tag for it.
func (m typeMaker) typ(depth int) (reflect.Type, string) {
	if depth == 0 || m.IntN(2) == 0 {
		t := m.leaf()
		return m.pointer(t, m.tag(t))
	}
	switch m.IntN(4) {
	case 0:
		t := m.object(depth - 1)
		return m.pointer(t, m.tag(t))
	case 1:
		elem, tag := m.typ(depth - 1)
		t := reflect.SliceOf(elem)
		if elem.Kind() == reflect.Uint8 {
			t = reflect.SliceOf(reflect.TypeFor[int]())
			tag = m.tag(t.Elem())
		}
		return m.pointer(t, dive(m.tag(t), "", tag))
	case 2:
		elem, tag := m.typ(depth - 1)
		if elem.Kind() == reflect.Uint8 {
			elem, tag = reflect.TypeFor[string](), ""
		}
		t := reflect.ArrayOf(2, elem)
		return t, dive(m.tag(t), "", tag)
	default:
		elem, tag := m.typ(depth - 1)
		key := []reflect.Type{reflect.TypeFor[string](), reflect.TypeFor[int]()}[m.IntN(2)]
		keys := ""
		if m.IntN(2) == 0 {
			keys = m.tag(key)
		}
		t := reflect.MapOf(key, elem)
		return m.pointer(t, dive(m.tag(t), keys, tag))
	}
}

func dive(own, keys, elem string) string {
	parts := []string{own, "dive"}
	if keys != "" {
		parts = append(parts, "keys", keys, "endkeys")
	}
	parts = append(parts, elem)
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ",")
}

func (m typeMaker) pointer(t reflect.Type, tag string) (reflect.Type, string) {
	if t.Kind() == reflect.Interface || m.IntN(3) != 0 {
		return t, tag
	}
	switch m.IntN(4) {
	case 0:
		tag = strings.TrimSuffix("required,"+tag, ",")
	case 1:
		tag = strings.TrimSuffix("omitnil,"+tag, ",")
	}
	return reflect.PointerTo(t), tag
}

func (m typeMaker) tag(t reflect.Type) string {
	if m.across && m.IntN(2) == 0 {
		return acrossTags[m.IntN(len(acrossTags))]
	}
	if t == reflect.TypeFor[time.Time]() || t == reflect.TypeFor[mood]() {
		return []string{"required", "", "omitempty,required", "omitempty"}[m.IntN(4)]
	}
	if t == reflect.TypeFor[time.Duration]() {
		return []string{"min=1s", "omitempty,max=1h", "", "gt=5", "eq=1s"}[m.IntN(5)]
	}
	list := tagsOf[t.Kind()]
	if len(list) == 0 || m.IntN(5) == 0 {
		return ""
	}
	return list[m.IntN(len(list))]
}

// object draws a struct with up to three fields.
func (m typeMaker) object(depth int) reflect.Type {
	var list []reflect.StructField
	for i := range 1 + m.IntN(3) {
		t, tag := m.typ(depth)
		name := string(rune('A' + i))
		text := fmt.Sprintf(`json:"%s"`, strings.ToLower(name))
		if tag != "" {
			text += fmt.Sprintf(` validate:%q`, tag)
		}
		list = append(list, reflect.StructField{Name: name, Type: t, Tag: reflect.StructTag(text)})
	}
	return reflect.StructOf(list)
}

// fill sets v to something random, near the limits of the rules.
func (m typeMaker) fill(v reflect.Value, depth int) {
	switch v.Interface().(type) {
	case time.Time:
		if m.IntN(2) == 0 {
			v.Set(reflect.ValueOf(time.Unix(int64(m.IntN(1e9)), 0)))
		}
		return
	case mood:
		v.Set(reflect.ValueOf([]mood{{}, {"glad"}}[m.IntN(2)]))
		return
	case time.Duration:
		v.SetInt([]int64{0, 1, 5, 6, int64(time.Second), int64(2 * time.Hour)}[m.IntN(6)])
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString([]string{"", "a", "ab", "c", "abc", "a b", "я", "яя", "яяя", "1", "10", "red"}[m.IntN(12)])
	case reflect.Int:
		v.SetInt(int64(m.IntN(6)) - 2)
	case reflect.Uint8:
		v.SetUint(uint64(m.IntN(4)))
	case reflect.Float64, reflect.Float32:
		v.SetFloat([]float64{0, 0.1, 0.5, 1, 1.5, 2, -1}[m.IntN(7)])
	case reflect.Bool:
		v.SetBool(m.IntN(2) == 0)
	case reflect.Pointer:
		if m.IntN(3) != 0 {
			v.Set(reflect.New(v.Type().Elem()))
			m.fill(v.Elem(), depth)
		}
	case reflect.Interface:
		if x := []any{nil, "", "a", schema.Number("0"), schema.Number("1"), false, true, []any{}, map[string]any{}}[m.IntN(9)]; x != nil {
			v.Set(reflect.ValueOf(x))
		}
	case reflect.Slice:
		if n := m.IntN(5) - 1; n >= 0 {
			v.Set(reflect.MakeSlice(v.Type(), n, n))
		}
		for i := range v.Len() {
			m.fill(v.Index(i), depth)
		}
	case reflect.Array:
		for i := range v.Len() {
			m.fill(v.Index(i), depth)
		}
	case reflect.Map:
		if n := m.IntN(4) - 1; n >= 0 {
			v.Set(reflect.MakeMap(v.Type()))
			for range n {
				key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
				m.fill(key, depth)
				m.fill(value, depth)
				v.SetMapIndex(key, value)
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			m.fill(v.Field(i), depth)
		}
	}
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 11)) }

// verdicts are violations without their messages.
func verdicts(bad []rpcerrors.Violation) (out []string) {
	for _, x := range bad {
		out = append(out, fmt.Sprintf("%s %s(%s)", x.Pointer, x.Rule, x.Param))
	}
	return out
}

// oracle is what validator itself says of v, in the same form. Go names of
// these types are the JSON names in capitals.
func oracle(val *validator.Validate, v reflect.Value) (out []string) {
	err := val.Struct(v.Addr().Interface())
	var bad validator.ValidationErrors
	if !errors.As(err, &bad) {
		return nil
	}
	for _, e := range bad {
		if e.Tag() == "dive" {
			continue // validator refuses a nil pointer to a list by this name; nothing is wrong with it
		}
		param := e.Param()
		tag := e.Tag()
		if strings.Contains(tag, "|") {
			param = "" // validator gives that of the last alternative
			tag = strings.NewReplacer("=A", "=a", "=B", "=b").Replace(tag)
		}
		if across.MatchString(tag) {
			param = inWire(param)
		}
		out = append(out, fmt.Sprintf("%s %s(%s)", path(strings.TrimPrefix(e.StructNamespace(), v.Type().Name()+".")), tag, param))
	}
	slices.Sort(out)
	return out
}

var across = regexp.MustCompile(`field$|^(required|excluded|skip)_`)

// inWire writes the fields A, B and C as they are called on the wire.
func inWire(param string) string {
	return strings.NewReplacer("A", "a", "B", "b", "C", "c").Replace(param)
}

// path turns validator's A[1].B into /a/1/b.
func path(ns string) string {
	return "/" + strings.ToLower(strings.NewReplacer("].", "/", "[", "/", "]", "", ".", "/").Replace(ns))
}

// Our own checks and validator say the same of every value: the same fields,
// and of each the same first rule.
func TestChecksAgreeWithValidator(t *testing.T) { // R-V01
	val := validator.New(validator.WithRequiredStructEnabled())
	m := typeMaker{newRand(7), false}
	types, values, broken := 0, 0, 0
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
			want := oracle(val, v)
			values++
			if len(want) > 0 {
				broken++
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%v\n%+v\n got %q\nwant %q", rt, v, got, want)
			}
		}
	}
	if broken < values/4 || broken > values*9/10 {
		t.Errorf("%d of %d values break a rule: the values are no good test", broken, values)
	}
}
