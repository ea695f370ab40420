package jsonrpc

import (
	"fmt"
)

// member is a member of a request object (section 4), or a set of them.
type member uint8

const (
	memberVersion member = 1 << iota
	memberID
	memberMethod
	memberParams

	memberOther member = 0 // any name that the specification does not know
)

func memberOf(name []byte) member {
	switch string(name) {
	case "jsonrpc":
		return memberVersion
	case "id":
		return memberID
	case "method":
		return memberMethod
	case "params":
		return memberParams
	}
	return memberOther
}

func (m member) String() string {
	switch m {
	case memberVersion:
		return "jsonrpc"
	case memberID:
		return "id"
	case memberMethod:
		return "method"
	case memberParams:
		return "params"
	}
	return "other"
}

// twice refuses a request that has m again. Of two ids none can be told to be the request's.
func (r *Request) twice(m member) {
	r.fail(fmt.Sprintf("the member %q is given twice.", m))
	if m == memberID {
		r.ID = nil
	}
}

// complete checks what is known only at the end of a request.
func (r *Request) complete(seen member) {
	if seen&memberVersion == 0 {
		r.wrong(memberVersion)
	}
	if seen&memberMethod == 0 {
		r.wrong(memberMethod)
	}
}

// wrong refuses a request whose m is absent or not what it must be.
func (r *Request) wrong(m member) {
	switch m {
	case memberVersion:
		r.fail(`"jsonrpc" must be the string "2.0".`)
	case memberMethod:
		r.fail(`"method" must be a string, the name of the method.`)
	case memberParams:
		r.fail(`"params" must be an object or an array.`)
	case memberID:
		r.fail(`"id" must be a string, a number or null.`)
	}
}

// value reads the value of m into r. Whatever it is, its syntax is checked.
func (p *parser) value(m member, r *Request) error {
	c := p.Peek()
	switch m {
	case memberVersion, memberMethod:
		if c == '"' {
			return p.text(m, r)
		}
		r.wrong(m)
		return p.Skip(1)
	case memberID:
		return p.id(c, r)
	case memberParams:
		return p.params(c, r)
	}
	return p.Skip(1)
}

// text reads a member that must be a string.
func (p *parser) text(m member, r *Request) error {
	s, err := p.str()
	switch {
	case m == memberMethod:
		r.Method = s
	case string(s) != "2.0":
		r.wrong(memberVersion)
	}
	return err
}

func (p *parser) id(c byte, r *Request) error {
	start := p.Pos
	if err := p.Skip(1); err != nil {
		return err
	}
	switch raw := p.Src[start:p.Pos:p.Pos]; {
	case c == '{' || c == '[' || c == 't' || c == 'f':
		r.wrong(memberID)
	case len(raw) > p.lim.ID:
		r.fail(fmt.Sprintf(`"id" may be %d bytes long at most.`, p.lim.ID))
	default:
		r.ID = raw
	}
	return nil
}

func (p *parser) params(c byte, r *Request) error {
	start := p.Pos
	if err := p.Skip(1); err != nil {
		return err
	}
	switch c {
	case '{', '[':
		r.Params = p.Src[start:p.Pos:p.Pos]
	case 'n': // many clients write null for "none"
	default:
		r.wrong(memberParams)
	}
	return nil
}
