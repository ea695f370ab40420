package mcp

import (
	"reflect"
	"slices"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/internal/jsonrpc"
)

// The parts of answers that are always the same.
const (
	head         = `{"jsonrpc":"2.0","id":`
	resultIs     = `,"result":`
	resultOpen   = `,"result":{`
	completeOpen = `,"result":{"resultType":"complete",`
	textOpen     = `"content":[{"type":"text","text":"`
	textClose    = `"}]`
	contentIs    = `"content":`
	structured   = `,"structuredContent":{"result":`
	succeeded    = `,"isError":false`
	failed       = `,"isError":true`
	legacyClose  = `}}`
)

// begin writes an answer up to the inside of the result.
func (t *turn) begin() {
	t.out = append(append(t.out, head...), t.id...)
	if t.version.modern() {
		t.out = append(t.out, completeOpen...)
	} else {
		t.out = append(t.out, resultOpen...)
	}
}

// end closes what begin opened. Results of the new era say who made them.
func (t *turn) end() {
	if t.version.modern() {
		t.out = append(t.out, t.about.close...)
	} else {
		t.out = append(t.out, legacyClose...)
	}
}

// success writes the result of a tool: its JSON as text, and once more as
// structured content, byte for byte what /rpc answers.
func (t *turn) success(res rpc.Response, spec *rpc.Spec) {
	t.ran, t.ok = res, true
	b := res.Bytes()
	if len(b) == 0 {
		b = []byte("null")
	}
	blocks, both := isContent(res, spec), t.version >= v20250618
	size := len(b)
	if !blocks && both {
		size *= 2
	}
	if int64(size) > t.sizes.Result {
		t.tooLarge(t.sizes.ResultTooLarge())
		return
	}
	t.out = slices.Grow(t.out, size+len(b)/4+512)
	t.begin()
	if blocks {
		t.out = append(append(t.out, contentIs...), contentFor(t.version, b)...)
	} else {
		t.out = append(t.out, textOpen...)
		t.out = appendEscaped(t.out, b)
		t.out = append(t.out, textClose...)
		if both {
			t.out = append(append(append(t.out, structured...), b...), '}')
		}
	}
	t.out = append(t.out, succeeded...)
	t.end()
}

// failure writes a result that tells the model what went wrong: the error
// object that /rpc would send, as text. Structured content is left out, for
// clients hold it against the outputSchema even when the tool failed.
func (t *turn) failure(e *rpcerrors.Error) {
	t.begin()
	t.out = append(t.out, textOpen...)
	t.out = appendEscaped(t.out, e.AppendJSON(nil))
	t.out = append(t.out, textClose...)
	t.out = append(t.out, failed...)
	t.end()
}

// result answers with a ready result. Large ones, such as lists, are written
// from where they lie.
func (t *turn) result(ready []byte) {
	t.out = append(append(t.out, head...), t.id...)
	t.out = append(t.out, resultIs...)
	if len(ready) > largeResult {
		t.ready = ready
		return
	}
	t.out = append(append(t.out, ready...), '}')
}

// largeResult is the size in bytes from which a ready result is not copied.
const largeResult = 8 << 10

// rest is what follows t.out in the answer.
func (t *turn) rest() (ready, end []byte) {
	if t.ready == nil {
		return nil, nil
	}
	return t.ready, []byte{'}'}
}

// fail reports and writes an error of the protocol that no call has made.
func (t *turn) fail(e *rpcerrors.Error) { t.error(t.report(e)) }

// error writes an error of the protocol.
func (t *turn) error(e *rpcerrors.Error) { t.out = jsonrpc.AppendError(t.out, t.id, e) }

// report logs and publishes an error like that of any call, and makes it
// public. Errors of calls come from the executor, which has done so.
func (t *turn) report(e *rpcerrors.Error) *rpcerrors.Error {
	t.told = true
	return t.visit.Fail(t.ctx, t.visit.Call(shorten(t.method), nil), e)
}

// tooLarge answers e in place of an answer that may not be sent, and lets go
// of that at once, so that a batch does not pile them up. A tool that had
// succeeded has failed now.
func (t *turn) tooLarge(e *rpcerrors.Error) {
	t.out, t.ready = nil, nil
	switch {
	case t.ok:
		e = t.ran.Fail(e)
		t.ran, t.ok = rpc.Response{}, false
		t.failure(e)
	case t.told:
		t.error(t.visit.Translate(e))
	default:
		t.fail(e)
	}
}

// isContent reports whether the result is blocks, which are sent as they are.
func isContent(res rpc.Response, spec *rpc.Spec) bool {
	if _, ok := res.Value().(rpc.Content); ok {
		return true
	}
	return spec != nil && spec.Result != nil && spec.Result.Go == reflect.TypeFor[rpc.Content]()
}
