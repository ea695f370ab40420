package schema

import (
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// refers says how the parameter of a rule names other fields.
type refers uint8

const (
	refersNone  refers = iota
	refersOne          // the parameter is a field: gtfield=From
	refersList         // each word is one: required_with=From To
	refersPairs        // fields and values in turn: required_if=Kind party
	refersBelow        // a field of the elements: unique=SKU
)

func (r Rule) refers() refers {
	switch {
	case strings.HasSuffix(r.Name, "field"), r.Name == "fieldcontains", r.Name == "fieldexcludes":
		return refersOne
	case slices.Contains([]string{"required_if", "required_unless", "excluded_if", "excluded_unless", "skip_unless"}, r.Name):
		return refersPairs
	case strings.HasPrefix(r.Name, "required_with"), strings.HasPrefix(r.Name, "excluded_with"):
		return refersList
	case r.Name == "unique" && r.Param != "":
		return refersBelow
	}
	return refersNone
}

// references checks the rules of a field that name others, and says them in
// the names of the wire. owner is the struct that declares the field: there
// validator looks for them.
func (c *ruleChecker) references(owner reflect.Type, t *Type, r *Rules) {
	if r == nil || t == nil {
		return
	}
	t = t.base()
	for i := range r.List {
		rule := &r.List[i]
		c.reference(owner, t, rule)
		for j := range rule.Or {
			c.reference(owner, t, &rule.Or[j])
		}
		if rule.Or != nil {
			rule.Wire = rule.Or[0].Wire
		}
	}
	c.references(owner, t.Key, r.Keys)
	c.references(owner, t.Elem, r.Elem)
}

// word is a part of a parameter: quoted, it may hold spaces.
var word = regexp.MustCompile(`'[^']*'|\S+`)

func (c *ruleChecker) reference(owner reflect.Type, t *Type, r *Rule) {
	r.Wire = r.Param
	if c.custom[r.Name] {
		return
	}
	how := r.refers()
	switch how {
	case refersNone:
		if r.Name == "validateFn" {
			r.Wire = "" // the name of a Go method
		}
		return
	case refersOne:
		if wire, other, ok := c.follow(owner, r.Param, r); ok {
			r.Wire = wire
			c.compared(t, other, r)
		}
		return
	case refersBelow:
		c.below(t, r)
		return
	}
	c.words(owner, r, how)
}

// words checks a parameter of several fields, or fields and values.
func (c *ruleChecker) words(owner reflect.Type, r *Rule, how refers) {
	var out []string
	words := word.FindAllString(r.Param, -1)
	if how == refersPairs && len(words)%2 != 0 || len(words) == 0 {
		what, want := "fields and values in turn", "Kind party"
		if how == refersList {
			what, want = "fields", "Kind"
		}
		c.fault("validate: "+r.text()+" does not name "+what, "write "+r.Name+"="+want+" with the Go name of a field of the same struct")
		return
	}
	var other reflect.Type
	for i, w := range words {
		plain := strings.ReplaceAll(w, "'", "")
		if how == refersPairs && i%2 == 1 {
			c.value(other, plain, r)
			out = append(out, w)
			continue
		}
		wire, found, ok := c.follow(owner, plain, r)
		if !ok {
			return
		}
		out, other = append(out, wire), found
	}
	r.Wire = strings.Join(out, " ")
}

// follow finds the field that path names below rt, as validator does, and the
// same path in the names of the wire. found is nil where only a call knows
// its type.
func (c *ruleChecker) follow(rt reflect.Type, path string, r *Rule) (wire string, found reflect.Type, ok bool) {
	start, rest := rt, path
	missing := func(at reflect.Type, name string) (string, reflect.Type, bool) {
		mend := "write the Go name of a field of the same struct, or a path such as Inner.Field"
		if near := nearestField(at, name); near != "" {
			mend = "did you mean " + strings.TrimSuffix(path, rest) + near + "? Fields are named as in Go"
		}
		c.fault("validate: "+r.text()+" names "+quote(path)+", which is no field of "+structName(start), mend)
		return "", nil, false
	}
	for rest != "" {
		for rt.Kind() == reflect.Pointer {
			rt = rt.Elem()
		}
		switch {
		case rt.Kind() == reflect.Interface:
			return wire + "." + rest, nil, true
		case rt.Kind() == reflect.Struct && !isTime(rt):
			end := strings.IndexAny(rest, ".[")
			if end < 0 {
				end = len(rest)
			}
			sf, there := rt.FieldByName(rest[:end])
			if !there || !sf.IsExported() {
				return missing(rt, rest[:end])
			}
			name, onWire := wireName(rt, sf)
			if !onWire {
				c.fault("validate: "+r.text()+" looks at "+sf.Name+`, which json:"-" keeps every caller from filling`, "name a field that callers fill")
				return "", nil, false
			}
			if wire != "" {
				wire += "."
			}
			wire, rest, rt = wire+name, rest[end:], sf.Type
		case rt.Kind() == reflect.Slice || rt.Kind() == reflect.Array || rt.Kind() == reflect.Map:
			end := strings.IndexByte(rest, ']') + 1
			if rest[0] != '[' || end == 0 {
				return missing(rt, rest)
			}
			wire, rest, rt = wire+rest[:end], rest[end:], rt.Elem()
		default:
			return missing(rt, rest)
		}
		rest = strings.TrimPrefix(rest, ".")
	}
	if wire == "" {
		return missing(rt, rest)
	}
	for rt.Kind() == reflect.Pointer {
		rt = rt.Elem()
	}
	if rt.Kind() == reflect.Interface {
		return wire, nil, true
	}
	return wire, rt, true
}

func structName(t reflect.Type) string {
	if t.Name() == "" {
		return "its struct"
	}
	return t.String()
}

// wireName is the name of a field, also of an embedded struct, on the wire.
func wireName(rt reflect.Type, sf reflect.StructField) (name string, ok bool) {
	var names []string
	for i := range sf.Index {
		step := rt.FieldByIndex(sf.Index[:i+1])
		name, _, _ := strings.Cut(step.Tag.Get("json"), ",")
		switch {
		case step.Tag.Get("json") == "-":
			return "", false
		case name != "":
			names = append(names, name)
		case i == len(sf.Index)-1:
			names = append(names, step.Name)
		}
	}
	return strings.Join(names, "."), true
}

// nearestField is the field of rt that name may mean: its name on the wire,
// or in other letters; "" when none is near.
func nearestField(rt reflect.Type, name string) string {
	if rt.Kind() != reflect.Struct {
		return ""
	}
	best, least := "", 3
	for _, sf := range reflect.VisibleFields(rt) {
		if !sf.IsExported() {
			continue
		}
		wire, _ := wireName(rt, sf)
		if wire == name || strings.EqualFold(sf.Name, name) {
			return sf.Name
		}
		if d := distance(name, sf.Name); d < least && d < len(name)-1 {
			best, least = sf.Name, d
		}
	}
	return best
}

func isTime(t reflect.Type) bool { return t.ConvertibleTo(reflect.TypeFor[time.Time]()) }

// compared checks that validator can compare a value of t with one of other:
// it does so for equal kinds only, and silently refuses or lets pass all else.
func (c *ruleChecker) compared(t *Type, other reflect.Type, r *Rule) {
	kind := t.Go.Kind()
	if kind == reflect.Interface || t.Kind == Invalid {
		return
	}
	bad := func(why, mend string) { c.fault("validate: "+r.text()+" "+why, mend) }
	switch r.Name {
	case "fieldcontains", "fieldexcludes", "postcode_iso3166_alpha2_field":
		if other != nil && (kind != reflect.String || other.Kind() != reflect.String) {
			bad("compares "+t.Go.String()+" with "+other.String()+", and is for text only", "use it between strings")
		}
		return
	}
	never := "never"
	if strings.HasPrefix(r.Name, "ne") {
		never = "always"
	}
	order := !strings.HasPrefix(r.Name, "ne") && !strings.HasPrefix(r.Name, "eq")
	switch {
	case other != nil && (kind != other.Kind() || kind == reflect.Struct && t.Go != other && !(isTime(t.Go) && isTime(other))):
		bad("compares "+t.Go.String()+" with "+other.String()+", which "+never+" holds", "give both fields the same type")
	case order && t.Kind == Exact:
		bad("compares the length of the texts of two Numbers, not their values", "use int64 or float64")
	case kind == reflect.Struct && !isTime(t.Go), kind == reflect.Array,
		order && (kind == reflect.Bool || kind == reflect.Slice || kind == reflect.Map):
		bad("compares values of "+t.Go.String()+", which validator cannot", "leave it out, or write a rule of your own")
	}
}

// value checks that the text in required_if=Field text can be a value of the
// field.
func (c *ruleChecker) value(t reflect.Type, text string, r *Rule) {
	if t == nil {
		return
	}
	var err error
	want := "write a value of " + t.String()
	switch k := t.Kind(); {
	case k >= reflect.Int && k <= reflect.Int64:
		_, err = strconv.ParseInt(text, 0, 64)
	case k >= reflect.Uint && k <= reflect.Uintptr:
		_, err = strconv.ParseUint(text, 0, 64)
	case k == reflect.Float32, k == reflect.Float64:
		_, err = strconv.ParseFloat(text, t.Bits())
	case k == reflect.Bool:
		if text != "true" && text != "false" {
			err, want = strconv.ErrSyntax, "write true or false"
		}
	case k == reflect.Slice, k == reflect.Map, k == reflect.Array:
		if _, err = strconv.ParseInt(text, 0, 64); text == "nil" && k != reflect.Array {
			err = nil
		}
		want = "write a number of elements"
	case k == reflect.Struct:
		err, want = strconv.ErrSyntax, "name a field that is a text, a number or a boolean"
	}
	if err != nil {
		c.fault("validate: "+r.text()+" compares a value of "+t.String()+" with "+quote(text)+", which it never is", want)
	}
}

// below checks unique=Field.
func (c *ruleChecker) below(t *Type, r *Rule) {
	if t.Elem == nil || t.Kind != Array {
		c.fault("validate: "+r.text()+" is for lists of structs, not for type "+t.Go.String(), "write nefield="+r.Param+" to ask that two fields differ")
		return
	}
	elem := t.Elem.base()
	if elem.Go.Kind() != reflect.Struct || strings.ContainsAny(r.Param, ".[") {
		c.fault("validate: "+r.text()+" wants a field of the elements, and "+elem.Go.String()+" has none", "write unique")
		return
	}
	if wire, _, ok := c.follow(elem.Go, r.Param, r); ok {
		r.Wire = wire
	}
}
