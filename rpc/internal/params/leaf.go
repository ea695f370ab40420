package params

import (
	"bytes"
	"encoding"
	"encoding/base64"
	"reflect"
	"strconv"
	"time"

	"github.com/facet-rpc/facet/rpc/scan"
	"github.com/facet-rpc/facet/rpc/schema"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// leaf reads the kinds whose text has a form of its own.
func (d *decoder) leaf(n *node, v reflect.Value, c byte, depth int) error {
	switch n.kind {
	case schema.Raw:
		return d.raw(v, depth)
	case schema.Custom:
		return d.custom(n, v, depth)
	}
	if c != '"' {
		return d.mismatch("string", depth)
	}
	raw, escaped, err := d.s.Str()
	if err != nil {
		return err
	}
	if escaped {
		raw = scan.Unquote(raw)
	}
	switch n.kind {
	case schema.Time:
		t := v.Addr().Interface().(*time.Time)
		if !strictTime(raw) || t.UnmarshalText(raw) != nil {
			v.SetZero()
			d.wrong("format", "a time such as 2026-01-02T15:04:05Z")
		}
	case schema.Duration:
		t, err := time.ParseDuration(string(raw))
		if err != nil {
			d.wrong("format", "a duration such as 1m30s")
			return nil
		}
		v.SetInt(int64(t))
	case schema.Bytes:
		d.base64(n, v, raw)
	case schema.Text:
		d.unmarshalText(n, v, raw)
	}
	return nil
}

// strictTime refuses what RFC 3339 section 5.6 does not allow and package time
// lets pass: an hour of one digit, a comma before the fraction, an offset of
// 24 hours or 60 minutes (golang/go#54580).
func strictTime(raw []byte) bool {
	const zone = len("+00:00")
	if len(raw) < len("2006-01-02T15:04:05Z") || raw[len("2006-01-02T15")] != ':' || bytes.IndexByte(raw, ',') >= 0 {
		return false
	}
	if raw[len(raw)-1] == 'Z' {
		return true
	}
	offset := raw[len(raw)-zone:]
	return string(offset[1:3]) < "24" && string(offset[4:]) < "60"
}

// base64 reads RFC 4648 section 4, padded, without line breaks.
func (d *decoder) base64(n *node, v reflect.Value, raw []byte) {
	b, err := base64.StdEncoding.Strict().AppendDecode([]byte{}, raw)
	if err != nil || bytes.ContainsAny(raw, "\r\n") {
		d.wrong("format", "base64 text")
		return
	}
	if n.typ.Len < 0 {
		v.SetBytes(b)
		return
	}
	if len(b) != n.typ.Len {
		d.wrong("len", strconv.Itoa(n.typ.Len))
		return
	}
	reflect.Copy(v, reflect.ValueOf(b))
}

// unmarshalText lets the type read its own text. The text may be kept by the
// type, so it gets a copy. The values of an enum are those that are listed,
// whatever else the type takes.
func (d *decoder) unmarshalText(n *node, v reflect.Value, raw []byte) {
	if n.enum != nil && !n.enum[string(appendQuoted(nil, string(raw)))] {
		d.wrong("enum", enumList(n.typ.Enum))
		return
	}
	u, ok := v.Addr().Interface().(encoding.TextUnmarshaler)
	if !ok || u.UnmarshalText(bytes.Clone(raw)) != nil {
		v.SetZero()
		d.wrong("format", n.form)
	}
}

// raw keeps a value as it was written. Duplicate names in it are refused as
// everywhere: two readers would see two values.
func (d *decoder) raw(v reflect.Value, depth int) error {
	span, err := d.span(depth)
	if err != nil {
		return err
	}
	if !span.IsValid() {
		d.wrong("duplicate", "")
		return nil
	}
	v.SetBytes(bytes.Clone(span))
	return nil
}

// custom lets the type's own JSON decoder read the value.
func (d *decoder) custom(n *node, v reflect.Value, depth int) error {
	span, err := d.span(depth)
	if err != nil {
		return err
	}
	if n.enum != nil && !n.lists(span) {
		d.wrong("enum", enumList(n.typ.Enum))
		return nil
	}
	if json.Unmarshal(span, v.Addr().Interface()) != nil {
		v.SetZero()
		d.wrong("format", n.form)
	}
	return nil
}

// lists reports whether the value is one of the enum's, which are written by
// the type itself.
func (n *node) lists(span jsontext.Value) bool {
	text := string(span)
	if span.Kind() == '"' {
		s := scan.Scanner{Src: span}
		raw, _, _ := s.Str()
		text = string(appendQuoted(nil, unquote(raw)))
	} else if c := span.Clone(); c.Compact() == nil {
		text = string(c)
	}
	return n.enum[text]
}

// span is the text of the next value, part of the source.
func (d *decoder) span(depth int) (jsontext.Value, error) {
	d.s.Peek()
	start := d.s.Pos
	if err := d.s.Skip(depth); err != nil {
		return nil, err
	}
	return jsontext.Value(d.s.Src[start:d.s.Pos]), nil
}

func unquote(raw []byte) string { return string(scan.Unquote(raw)) }

func appendQuoted(dst []byte, s string) []byte {
	dst, _ = jsontext.AppendQuote(dst, s)
	return dst
}

// enumList names the values of an enum for people.
func enumList(values []schema.EnumValue) string {
	var b []byte
	for i, v := range values {
		if i > 0 {
			b = append(b, ", "...)
		}
		text := v.JSON
		if u, err := jsontext.AppendUnquote(nil, text); err == nil {
			text = u
		}
		b = append(b, text...)
	}
	return string(b)
}
