package errors

import (
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// AppendJSON appends the error object of JSON-RPC 2.0 section 5.1 to dst:
// code, message and data, which always has the member exception. It is the
// only encoder of errors: /rpc and MCP tools send the same bytes.
func (e *Error) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"code":`...)
	dst = strconv.AppendInt(dst, int64(e.kind.code), 10)
	dst = append(dst, `,"message":`...)
	dst = quote(dst, e.message)
	dst = append(dst, `,"data":`...)
	if e.kind.protocol && e.details != nil {
		if b, err := marshal(e.details); err == nil {
			return append(append(dst, b...), '}')
		}
	}
	dst = append(dst, `{"exception":`...)
	dst = quote(dst, e.kind.kind)
	if e.debug != nil {
		dst = e.debug.append(dst)
	}
	if len(e.violations) > 0 {
		dst = appendValue(dst, "violations", e.violations)
	}
	switch {
	case e.received != nil:
		dst = appendValue(dst, "details", e.received)
	case e.details != nil:
		dst = appendValue(dst, "details", e.details)
	}
	return append(dst, "}}"...)
}

func (d *Debug) append(dst []byte) []byte {
	dst = append(dst, `,"message":`...)
	dst = quote(dst, d.Message)
	if d.File != "" {
		dst = append(dst, `,"file":`...)
		dst = quote(dst, d.File)
		dst = append(dst, `,"line":`...)
		dst = strconv.AppendInt(dst, int64(d.Line), 10)
	}
	return appendValue(dst, "trace", d.Trace)
}

// appendValue appends ,"name":value; nothing if value cannot be written.
func appendValue(dst []byte, name string, value any) []byte {
	b, err := marshal(value)
	if err != nil {
		return dst
	}
	dst = append(dst, ',')
	dst = quote(dst, name)
	dst = append(dst, ':')
	return append(dst, b...)
}

// marshal writes value. A panic of its own encoder is an error like any other:
// the caller still learns what went wrong, without the data.
func marshal(value any) (b []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the encoder of %T panicked: %v", value, r)
		}
	}()
	return json.Marshal(value, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
}

// quote appends s as a JSON string; bytes that are no UTF-8 become U+FFFD.
func quote(dst []byte, s string) []byte {
	dst, _ = jsontext.AppendQuote(dst, s)
	return dst
}
