package mcp

import (
	"encoding/base64"
	"encoding/binary"
	"strconv"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/rpc/schema"
	"github.com/facet-rpc/facet/transport/guard"
)

// pageSize is how many tools one answer to tools/list holds.
const pageSize = 1000

// catalogue is the list of tools of an endpoint, in the order of
// [rpc.Endpoint.Specs]. Each page is rendered once per profile, form, language
// and set of visible methods.
type catalogue struct {
	door   *guard.Door
	model  *schema.Model
	server []byte // the member _meta of the new era
	pages  pages
}

// list answers tools/list.
func (t *turn) list() {
	from, ok := position(t.params.cursor, len(t.door.Endpoint().Specs()))
	if !ok {
		t.fail(invalidParams(`"cursor" is none that tools/list gave out.`))
		return
	}
	page, err := t.catalogue.page(t.visit.Caller, t.visit.Language, t.view, t.version, from)
	if err != nil {
		t.fail(rpcerrors.Internal.Wrap(err, ""))
		return
	}
	t.result(page)
}

// page is the list from the method at index from on, as the JSON of a result.
func (c *catalogue) page(caller *rpc.Caller, lang string, shown *view, v version, from int) ([]byte, error) {
	specs := c.door.Endpoint().Specs()
	var room [128]byte
	key := binary.AppendUvarint(append(room[:0], byte(formOf(v)), shown.index), uint64(from))
	visible := len(key)
	key = append(key, make([]byte, (len(specs)+7)/8)...)
	for i, s := range specs {
		if c.door.Visible(caller, s) {
			key[visible+i/8] |= 1 << (i % 8)
		}
	}
	key = append(key, lang...)

	revision := c.door.Endpoint().TextRevision()
	if page := c.pages.get(revision, key); page != nil {
		return page, nil
	}
	page, err := c.render(specs, func(i int) bool { return key[visible+i/8]&(1<<(i%8)) != 0 }, lang, shown, formOf(v), from)
	if err == nil {
		c.pages.put(revision, string(key), page)
	}
	return page, err
}

// render writes a page. There is a next one only if a visible tool is left
// for it.
func (c *catalogue) render(specs []*rpc.Spec, visible func(int) bool, lang string, shown *view, f form, from int) ([]byte, error) {
	out := []byte("{")
	if f == form2026 {
		out = append(out, `"resultType":"complete",`...)
	}
	out = append(out, `"tools":[`...)
	n, next := 0, 0
	for i := from; i < len(specs); i++ {
		if !visible(i) {
			continue
		}
		if n == pageSize {
			next = i
			break
		}
		if n++; n > 1 {
			out = append(out, ',')
		}
		var err error
		if out, err = c.appendTool(out, specs[i], lang, shown, f); err != nil {
			return nil, err
		}
	}
	out = append(out, ']')
	if next > 0 {
		out = append(append(append(out, `,"nextCursor":"`...), cursor(next)...), '"')
	}
	if f == form2026 {
		out = append(strconv.AppendInt(append(out, `,"ttlMs":`...), lifetime, 10), `,"cacheScope":"`+scope+`"`...)
		out = append(out, c.server...)
	}
	return append(out, '}'), nil
}

// cursor stands for the index of a method in the endpoint. It means the same
// to every caller and at every process of the program.
func cursor(index int) string {
	return base64.RawURLEncoding.EncodeToString([]byte("tool " + strconv.Itoa(index)))
}

// position is the index that a cursor stands for, 0 without one. Some clients
// begin with an empty cursor.
func position(t text, methods int) (index int, ok bool) {
	switch {
	case t.state == absent, t.state == null, t.state == given && len(t.value) == 0:
		return 0, true
	case t.state == wrong:
		return 0, false
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(string(t.value))
	const mark = "tool "
	if err != nil || len(b) <= len(mark) || string(b[:len(mark)]) != mark {
		return 0, false
	}
	index, err = strconv.Atoi(string(b[len(mark):]))
	return index, err == nil && index > 0 && index < methods && cursor(index) == string(t.value)
}
