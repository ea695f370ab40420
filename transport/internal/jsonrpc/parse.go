package jsonrpc

import (
	"bytes"
	stderrors "errors"
	"fmt"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc/scan"
)

// Parse reads a whole body, a request or a batch of requests, in one scan. Nothing may run
// before it has returned. The requests are in the order of the body and lie in the storage of
// dst, whose content is overwritten; batch says whether they came in an array, which decides the
// shape of the answer also when there is only one.
//
// err is nil or an *rpcerrors.Error for the body as a whole, and then there are no requests:
//
//   - -32700: no valid JSON (empty, trailing data, bad UTF-8, a lone surrogate) or nested deeper
//     than lim.Depth; the message says at which byte.
//   - -32600: an empty batch, or one of more than lim.Batch members. The scan stops at the first
//     member too many, so the rest is not read and may hold anything: the count is told first.
//
// What is wrong with one request only is its Fault: it is not an object, jsonrpc is not the
// string "2.0", method is missing or no string, params is neither object, array nor null, id is
// no string, number or null or longer than lim.ID, or a member is given twice. Names match
// exactly and by case, as spelled after unescaping. Other members are ignored, but may not be
// given twice either, and there may be 16 of them.
func Parse(body []byte, lim Limits, dst []Request) (reqs []Request, batch bool, err error) {
	lim = lim.orDefaults()
	p := parser{Scanner: scan.Scanner{Src: body, MaxDepth: lim.Depth}, lim: lim}
	reqs = dst[:0]
	if p.Peek() == '[' {
		batch = true
		reqs, err = p.batch(reqs)
	} else {
		reqs = append(reqs, Request{})
		err = p.request(&reqs[0])
	}
	if err == nil {
		err = p.End()
	}
	if err != nil {
		return nil, batch, public(err)
	}
	return reqs, batch, nil
}

// public turns an error of the scanner into what the caller sees.
func public(err error) error {
	var e *scan.Error
	if stderrors.As(err, &e) {
		return rpcerrors.ParseError.Wrap(err, "Parse error: "+err.Error()+".")
	}
	return err
}

// parser is a scan that has begun.
type parser struct {
	scan.Scanner
	lim   Limits
	extra [][]byte // names of the current request that mean nothing to us
}

// batch is at '['.
func (p *parser) batch(reqs []Request) ([]Request, error) {
	p.Pos++
	if p.Peek() == ']' {
		p.Pos++
		if err := p.End(); err != nil {
			return nil, err
		}
		return nil, invalid("a batch must hold at least one request.")
	}
	for {
		if len(reqs) == p.lim.Batch {
			return nil, invalid(fmt.Sprintf("a batch may hold %d requests at most.", p.lim.Batch))
		}
		reqs = append(reqs, Request{})
		if err := p.request(&reqs[len(reqs)-1]); err != nil {
			return nil, err
		}
		more, err := p.more(']')
		if !more {
			return reqs, err
		}
	}
}

// more passes the comma between two items, or the bracket that closes them.
func (p *parser) more(closing byte) (bool, error) {
	switch c := p.Peek(); c {
	case ',':
		p.Pos++
		return true, nil
	case closing:
		p.Pos++
		return false, nil
	}
	return false, p.unexpected("',' or '" + string(rune(closing)) + "' expected")
}

func (p *parser) unexpected(reason string) error {
	return &scan.Error{Offset: p.Pos, Reason: reason}
}

// request reads one member of a batch, or the only request. An error is one of syntax; all else
// is r.Fault.
func (p *parser) request(r *Request) error {
	if p.Peek() != '{' {
		r.fail("it must be an object.")
		return p.Skip(0)
	}
	p.Pos++
	p.extra = p.extra[:0]
	seen := member(0)
	if p.Peek() == '}' {
		p.Pos++
		r.complete(seen)
		return nil
	}
	for {
		m, err := p.name(r)
		if err != nil {
			return err
		}
		if seen&m != 0 {
			r.twice(m)
			m = memberOther
		}
		seen |= m
		if err := p.value(m, r); err != nil {
			return err
		}
		more, err := p.more('}')
		if err != nil {
			return err
		}
		if !more {
			r.complete(seen)
			return nil
		}
	}
}

// name reads a member's name and the colon.
func (p *parser) name(r *Request) (member, error) {
	if p.Peek() != '"' {
		return memberOther, p.unexpected("member name expected")
	}
	at := p.Pos
	name, err := p.str()
	if err != nil {
		return memberOther, err
	}
	m := memberOf(name)
	if m == memberOther {
		p.unknown(r, name, at)
	}
	if p.Peek() != ':' {
		return memberOther, p.unexpected("':' expected")
	}
	p.Pos++
	return m, nil
}

// str reads a string and what it spells.
func (p *parser) str() ([]byte, error) {
	raw, escaped, err := p.Str()
	if err != nil || !escaped {
		return raw, err
	}
	return scan.Unquote(raw), nil
}

// maxExtra bounds the work of comparing unknown names with each other.
const maxExtra = 16

// unknown notes a name that the specification does not know. Given twice, other programs on the
// way may see another request than we do, whatever the name.
func (p *parser) unknown(r *Request, name []byte, at int) {
	if r.Fault != nil {
		return
	}
	for _, e := range p.extra {
		if bytes.Equal(e, name) {
			r.fail(fmt.Sprintf("the member at byte %d is given twice.", at))
			return
		}
	}
	if len(p.extra) == maxExtra {
		r.fail(fmt.Sprintf("it has more than %d members besides jsonrpc, id, method and params.", maxExtra))
		return
	}
	p.extra = append(p.extra, name)
}
