// Package schema is the one description of the Go types that cross the wire:
// a [Model] turns a type and its tags into a [Type], which decoding,
// validation, the OpenRPC document and MCP tools all read. So what is
// documented and what is executed cannot differ.
//
// [Model.Input] and [Model.Output] render a Type as JSON Schema, [Encode]
// writes it. What they have decided:
//
//   - params are closed (additionalProperties: false) and carry the validate
//     rules; results are open and carry types and enums only
//   - a rule that JSON Schema cannot state stands verbatim under x-validate
//   - a 64-bit integer has format int64 or uint64 unless rules bound it on
//     both sides; smaller ones have minimum and maximum
//   - the values of an enum are listed under enum, their comments in the same
//     order under x-enum-descriptions
//   - a time.Duration is a string such as "1m30s", []byte is base64, a Number
//     is a number of any size
//   - under any everything is taken, numbers as [Number]; one call may hold
//     100 000 such values, those inside each other counted too, because each
//     costs many times its text
//   - a nullable value is anyOf of its type and null; slices and maps are
//     never null
//   - named structs and enums, and named types that contain themselves, are
//     definitions. One that is both params and result is defined twice: under
//     its name as a result, and with Input behind it as params. Names that
//     two packages share carry the package in front: shop_Order
package schema

import "reflect"

// Kind is how a Go type stands in JSON.
type Kind uint8

// The kinds. Text, Custom and Raw leave their values to the type itself.
const (
	Invalid  Kind = iota
	Bool          // true, false
	Int           // an integral number in the range of the Go type
	Uint          // the same without a sign
	Float         // a number in the range of the Go type
	String        // a string
	Bytes         // a string of base64: []byte, [N]byte
	Time          // a string of RFC 3339: time.Time
	Duration      // a string such as "1m30s": time.Duration
	Text          // a string read by encoding.TextUnmarshaler
	Exact         // a number of any size kept as text: Number
	Any           // any JSON value, numbers as Number
	Raw           // any JSON value, as written: jsontext.Value, json.RawMessage
	Custom        // whatever the type's own JSON decoder takes
	Object        // an object with the fields of a struct
	Array         // an array: slice, or Go array when Len >= 0
	Map           // an object with free names
	Pointer       // Elem or null
)

// Type describes a Go type. It is shared, complete and never changed after
// [Model.Of] returned it; recursive types point at themselves.
type Type struct {
	Go   reflect.Type
	Kind Kind
	// Name is the name under which documents define the type, unique in the
	// Model and stable between runs; empty for types written in place. It is
	// settled when the first schema is rendered: until then a type of the same
	// name may still join, and both take their package's name in front.
	Name string
	// Doc is the type's comment, without the name of the language it is in.
	Doc string

	Elem   *Type       // of Array, Map and Pointer
	Key    *Type       // of Map: String, Int, Uint or Text
	Len    int         // of Array: the exact length; -1 for slices. Bytes: the same
	Fields []Field     // of Object, in the order of the struct, embedded ones in place
	Enum   []EnumValue // the only values allowed; nil: all of the kind

	// Ruled: a validate tag stands on a field of it or below it.
	Ruled bool

	byName map[string]int
	result bool   // known as a result when its name was settled
	input  string // its name as params where that differs from Name
}

// Field is one member of an Object.
type Field struct {
	Name   string // on the wire
	GoName string
	Index  []int // for reflect.Value.FieldByIndex; longer than 1 for embedded fields
	Type   *Type

	// Required: the member must be there. A field is optional with omitempty,
	// omitzero, a default, a pointer type, or inside an embedded pointer; a
	// pointer with validate:"required" is required.
	Required bool
	// OmitEmpty and OmitZero say when an encoded value leaves the member out.
	OmitEmpty, OmitZero bool
	// Quoted: a number written as a string (json option "string").
	Quoted bool
	// Default is the value of a left-out member as JSON; nil: the zero value.
	Default []byte
	// Rules is the validate tag; nil without one.
	Rules *Rules

	Title, Description, Deprecated string
	Examples                       [][]byte // JSON

	owner      reflect.Type // the struct that declares it
	tag        reflect.StructTag
	viaPointer bool // inside an embedded pointer: absent while that is nil
	named      bool // its JSON name is written in the tag
}

// EnumValue is one allowed value.
type EnumValue struct {
	JSON []byte // as on the wire
	Doc  string
}

// Rules is a validate tag of go-playground/validator, parsed.
type Rules struct {
	// Tag is what was written for this level.
	Tag string
	// List holds the rules on the value itself, in order, without omitempty,
	// dive and what follows dive.
	List []Rule
	// OmitEmpty: a zero value is not checked further; OmitNil: a nil. Either
	// stands before all rules but required_…, excluded_… and skip_unless.
	OmitEmpty, OmitNil bool
	// OmitZero is OmitEmpty that also skips empty slices and maps, and
	// pointers to a zero value.
	OmitZero bool
	// Keys and Elem are the rules for map keys and for elements, after dive.
	Keys, Elem *Rules
}

// Rule is one rule such as max=100. Or holds all alternatives of a|b, nil
// without "|"; Name and Param are then those of the first.
type Rule struct {
	Name, Param string
	// Wire is Param with the fields it names as they are called on the wire,
	// which is what callers are told.
	Wire string
	Or   []Rule
}

// Tag is what the field's struct tag says under key.
func (f *Field) Tag(key string) (value string, ok bool) { return f.tag.Lookup(key) }

// Lookup is the index of the field called name, -1 without one.
func (t *Type) Lookup(name []byte) int {
	if i, ok := t.byName[string(name)]; ok {
		return i
	}
	return -1
}
