package schema

import (
	"encoding"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
)

// fields fills t.Fields with the members of a struct, those of embedded
// structs in their place.
func (m *Model) fields(t *Type) {
	m.flatten(t, t.Go, nil, false, []reflect.Type{t.Go})
	t.byName = make(map[string]int, len(t.Fields))
	for i := range t.Fields {
		f := &t.Fields[i]
		if j, ok := t.byName[f.Name]; ok {
			m.report(t, f.owner, f.GoName, "its JSON name "+quote(f.Name)+" is also that of "+
				t.Fields[j].owner.String()+"."+t.Fields[j].GoName, "give each field its own name")
			continue
		}
		t.byName[f.Name] = i
	}
}

// flatten adds the fields of rt, which is t.Go or embedded in it at index.
// path holds the structs around, to notice one that embeds itself.
func (m *Model) flatten(t *Type, rt reflect.Type, index []int, viaPointer bool, path []reflect.Type) {
	var docs map[string]string
	if m.cfg.Comments != nil && rt.Name() != "" {
		_, docs = m.cfg.Comments(rt)
	}
	visible := rt.NumField() == 0
	for i := range rt.NumField() {
		sf := rt.Field(i)
		fault := func(problem, mend string) { m.report(t, rt, sf.Name, problem, mend) }
		if !sf.IsExported() && !sf.Anonymous {
			if tag := sf.Tag.Get("json"); tag != "" && tag != "-" {
				fault("it has a json tag but is not exported, so JSON never sees it", "export the field, or drop the tag")
			}
			continue
		}
		visible = true
		tag := parseJSONTag(sf, fault)
		at := append(slices.Clone(index), i)
		switch {
		case tag.skip:
			if v := sf.Tag.Get("validate"); v != "" && v != "-" {
				m.reportParams(t, rt, sf.Name, `it is checked by validate but json:"-" keeps every caller from filling it`, "drop the validate tag")
			}
		case sf.Anonymous && tag.name == "":
			m.embed(t, rt, sf, at, viaPointer, path, fault)
		default:
			t.Fields = append(t.Fields, m.field(t, rt, sf, tag, at, viaPointer, docs[sf.Name], fault))
		}
	}
	if !visible {
		m.report(t, rt, "", "it has no exported field, so nothing of it would be sent", "export fields, or add MarshalText and UnmarshalText")
	}
}

// embed adds the fields of an embedded struct.
func (m *Model) embed(t *Type, rt reflect.Type, sf reflect.StructField, at []int, viaPointer bool, path []reflect.Type, fault func(problem, mend string)) {
	inner, pointer := sf.Type, sf.Type.Kind() == reflect.Pointer
	if pointer {
		inner = inner.Elem()
	}
	switch {
	case inner.Kind() != reflect.Struct:
		fault("an embedded "+inner.Kind().String()+" has no members", "give it a JSON name")
	case implementsCoding(inner):
		fault("the embedded "+inner.String()+" has its own coding, which would take over the whole struct", "give it a JSON name, or a field name")
	case pointer && !sf.IsExported():
		fault("a pointer to an unexported struct cannot be made when decoding", "embed the struct itself")
	case sf.Tag.Get("json") != "":
		fault("an embedded struct takes no json options", "drop the json tag, or give it a name")
	case slices.Contains(path, inner):
		fault("the struct embeds itself", "give the field a name")
	default:
		m.flatten(t, inner, at, viaPointer || pointer, append(slices.Clone(path), inner))
	}
}

// field describes one member.
func (m *Model) field(t *Type, rt reflect.Type, sf reflect.StructField, tag jsonTag, at []int, viaPointer bool, doc string, fault func(problem, mend string)) Field {
	f := Field{
		Name: tag.name, GoName: sf.Name, Index: at, Type: m.build(sf.Type),
		OmitEmpty: tag.omitEmpty, OmitZero: tag.omitZero, Quoted: tag.quoted,
		owner: rt, tag: sf.Tag, viaPointer: viaPointer, named: tag.name != "",
	}
	if !f.named {
		f.Name = sf.Name
		m.reportParams(t, rt, sf.Name, "it has no JSON name", "add a tag such as json:"+quote(lowerFirst(sf.Name)))
	}
	if !sf.IsExported() {
		fault("it is embedded, named, and not exported, so JSON cannot set it", "export it")
	}
	if tag.omitEmpty && neverEmpty(f.Type) {
		fault("omitempty leaves out only \"\", [], {} and null, and a value of type "+f.Type.Go.String()+" is never that", "say omitzero")
	}
	if tag.quoted {
		switch base := f.Type.base(); {
		case base.Kind != Int && base.Kind != Uint && base.Kind != Float:
			fault("the json option string is for numbers only", "leave it out")
		case base.Enum != nil:
			fault("the json option string does not go with an enum", "leave it out")
		}
	}
	var problems []problem
	f.Rules, problems = parseRules(sf.Tag.Get("validate"), m.cfg.Rules)
	for _, p := range problems {
		m.reportParams(t, rt, sf.Name, p.what, p.mend)
	}
	_, hasDefault := sf.Tag.Lookup("default")
	f.Required = !tag.omitEmpty && !tag.omitZero && !hasDefault && !viaPointer &&
		(f.Type.Kind != Pointer || f.Rules.refusesNil())
	f.describe(sf.Tag, doc, fault)
	return f
}

// base is t without pointers.
func (t *Type) base() *Type {
	for t.Kind == Pointer && t.Elem != nil {
		t = t.Elem
	}
	return t
}

// neverEmpty: no value of t is written as "", [], {} or null.
func neverEmpty(t *Type) bool {
	switch t.Kind {
	case Bool, Int, Uint, Float, Exact, Time, Duration, Object:
		return true
	case Array, Bytes:
		return t.Len > 0
	default:
		return false
	}
}

// implementsCoding: rt, or what it points at, codes itself in JSON.
func implementsCoding(rt reflect.Type) bool {
	return implements[json.Marshaler](rt) || implements[json.MarshalerTo](rt) ||
		implements[json.Unmarshaler](rt) || implements[json.UnmarshalerFrom](rt) ||
		implements[encoding.TextMarshaler](rt) || implements[encoding.TextAppender](rt) ||
		implements[encoding.TextUnmarshaler](rt)
}

// lowerFirst turns a Go name into the usual JSON name: Query, query; ID, id;
// URLPath, urlPath; URIs, uris.
func lowerFirst(name string) string {
	upper := func(i int) bool { return i < len(name) && name[i] >= 'A' && name[i] <= 'Z' }
	n := 0
	for upper(n) {
		n++
	}
	plural := n > 1 && n < len(name) && name[n] == 's' && (n+1 == len(name) || upper(n+1))
	if n > 1 && n < len(name) && !plural {
		n--
	}
	return strings.ToLower(name[:n]) + name[n:]
}
