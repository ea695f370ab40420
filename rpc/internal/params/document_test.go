package params_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/facet-rpc/facet/rpc/schema"
)

// writer writes random JSON that is near what a type takes.
type writer struct{ *rand.Rand }

func (w writer) pick(list ...string) string { return list[w.IntN(len(list))] }

// junk is a value of any type.
func (w writer) junk() string {
	return w.pick(`null`, `null`, `true`, `false`, `0`, `1`, `-1`, `2`, `0.5`, `1.0`, `1e2`, `-0`, `1e400`, `300`, `9007199254740993`, `9223372036854775808`, `18446744073709551616`,
		`""`, `"a"`, `"red"`, `"1"`, `"AQ=="`, `"1m"`, `"2026-01-02T15:04:05Z"`, `[]`, `{}`, `[1]`, `["a",null]`, `{"a":1}`, `{"a":{"a":[]},"b":null}`, `[[]]`)
}

func (w writer) value(t *schema.Type, depth int) string {
	if w.IntN(25) == 0 {
		return w.junk()
	}
	if t.Enum != nil && w.IntN(6) != 0 {
		return string(t.Enum[w.IntN(len(t.Enum))].JSON)
	}
	switch t.Kind {
	case schema.Bool:
		return w.pick(`true`, `false`)
	case schema.Int, schema.Uint:
		return w.pick(`0`, `1`, `2`, `-1`, `-2`, `3`, `1.0`, `2e0`, `20e-1`, `127`, `128`, `255`, `256`, `-128`, `0.5`, `9223372036854775807`, `-0`)
	case schema.Float:
		return w.pick(`0`, `0.1`, `0.5`, `1.5`, `2`, `-1`, `1e2`, `0.10`, `-0.0`, `1e39`, `1e-9`)
	case schema.String:
		return w.text()
	case schema.Bytes:
		return w.pick(`""`, `"AQ=="`, `"AQI="`, `"AQID"`, `"AQIDBA=="`, `"!"`)
	case schema.Time:
		return w.pick(`"2026-01-02T15:04:05Z"`, `"2026-01-02T15:04:05.5+02:00"`, `"0001-01-01T00:00:00Z"`, `"2026-01-02"`, `"2026-13-02T15:04:05Z"`, `"2026-01-02T1:04:05Z"`)
	case schema.Duration:
		return w.pick(`"1s"`, `"1m30s"`, `"0"`, `"5ns"`, `"2h"`, `"-1.5h"`, `"1"`, `""`, `"1x"`)
	case schema.Text:
		return w.pick(`"glad"`, `"sad"`, `"::1"`, `"1.2.3.4"`, `"6ba7b810-9dad-11d1-80b4-00c04fd430c8"`, `"x"`)
	case schema.Exact:
		return w.pick(`0`, `1`, `1e400`, `0.10`)
	case schema.Any, schema.Raw, schema.Custom:
		return w.junk()
	case schema.Array:
		n := w.IntN(4)
		if t.Len >= 0 {
			n = t.Len
			if w.IntN(8) == 0 {
				n = w.IntN(t.Len + 2)
			}
		}
		if depth <= 0 && t.Len < 0 {
			n = 0
		}
		var items []string
		for range n {
			items = append(items, w.value(t.Elem, depth-1))
		}
		return "[" + strings.Join(items, w.pick(",", " , ")) + "]"
	case schema.Map:
		var members []string
		for range w.IntN(3) {
			if depth > 0 {
				members = append(members, w.key(t.Key)+":"+w.value(t.Elem, depth-1))
			}
		}
		return "{" + strings.Join(members, ",") + "}"
	case schema.Pointer:
		if w.IntN(4) == 0 || depth <= 0 {
			return `null`
		}
		return w.value(t.Elem, depth)
	case schema.Object:
		return w.object(t, depth)
	}
	return `null`
}

func (w writer) text() string {
	return w.pick(`""`, `"a"`, `"ab"`, `"abc"`, `"c"`, `"я"`, `"яя"`, `"яяя"`, `"a b"`, `"1"`, `"10"`, `"\u0061b"`, `"\ud83d\ude00"`, `"red"`)
}

func (w writer) key(t *schema.Type) string {
	switch t.Kind {
	case schema.Int, schema.Uint:
		return w.pick(`"0"`, `"1"`, `"2"`, `"-1"`, `"1"`, `"01"`, `"x"`, `"200"`)
	case schema.Text:
		return w.pick(`"glad"`, `"sad"`, `"::1"`, `"x"`)
	}
	return w.text()
}

func (w writer) object(t *schema.Type, depth int) string {
	var members []string
	for i := range t.Fields {
		f := &t.Fields[i]
		if w.IntN(12) == 0 || !f.Required && (depth <= 0 || w.IntN(3) == 0) {
			continue
		}
		value := w.value(f.Type, depth-1)
		if f.Quoted && w.IntN(8) != 0 {
			value = strconv.Quote(value)
		}
		members = append(members, w.name(f.Name)+":"+value)
		if w.IntN(60) == 0 {
			members = append(members, w.name(f.Name)+":"+w.value(f.Type, depth-1))
		}
	}
	if w.IntN(30) == 0 {
		members = append(members, w.pick(`"zz"`, `"A"`, `""`, `"a/b"`)+":"+w.junk())
	}
	w.Shuffle(len(members), func(i, j int) {
		if i == 0 || j == 0 {
			members[i], members[j] = members[j], members[i]
		}
	})
	return "{" + strings.Join(members, w.pick(",", ", ", "\n,")) + "}"
}

// name writes a member name, seldom with an escape.
func (w writer) name(name string) string {
	if w.IntN(20) == 0 && name != "" && name[0] < 0x80 {
		return fmt.Sprintf(`"\u%04x%s"`, name[0], name[1:])
	}
	return `"` + name + `"`
}

// mutate changes a few bytes.
func (w writer) mutate(text string) string {
	b := []byte(text)
	for range 1 + w.IntN(2) {
		if len(b) == 0 {
			break
		}
		at := w.IntN(len(b))
		switch w.IntN(4) {
		case 0:
			b = append(b[:at], b[at+1:]...)
		case 1:
			b[at] = `{}[]",:0123456789.-eEtrufalsn\u `[w.IntN(32)]
		case 2:
			b = append(b[:at:at], append([]byte(w.pick(`,`, `"`, `]`, `}`, `0`, ` `, `null`)), b[at:]...)...)
		default:
			end := min(len(b), at+1+w.IntN(8))
			b = append(b[:end:end], b[at:]...) // twice
		}
	}
	return string(b)
}
