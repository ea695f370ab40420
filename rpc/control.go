package rpc

import (
	"bytes"
	"math"
	"strconv"
	"time"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc/internal/params"
	"github.com/facet-rpc/facet/rpc/scan"
)

// control is what params.$rpc asks of the framework.
type control struct {
	timeout     time.Duration
	ignoreCache bool
	keyed       bool // there is an idempotencyKey
	callback    string
	violations  []rpcerrors.Violation
	deferred    *Deferred // what is run now; nil: the call came just now
}

// asked is the call's control, made when it is needed.
func (c *Call) asked() *control {
	if c.control == nil {
		c.control = new(control)
	}
	return c.control
}

// ignoresCache: results are computed, and stored.
func (c *Call) ignoresCache() bool { return c.control != nil && c.control.ignoreCache }

// ends: the call goes no further than decoding, so all is checked there.
func (c *Call) ends() bool { return c.defers() || c.control != nil && len(c.control.violations) > 0 }

// defers: the call is to be accepted now and run later.
func (c *Call) defers() bool {
	return c.control != nil && c.control.callback != "" && c.control.deferred == nil
}

// readControl splits $rpc from params. What is wrong with it is told with the
// violations of the other parameters; what is wrong with the JSON is found
// when it is decoded.
func (c *Call) readControl() {
	if bytes.IndexByte(c.Params, '$') < 0 && !bytes.Contains(c.Params, []byte(`\u0024`)) {
		return
	}
	s := scan.Scanner{Src: c.Params}
	if s.Peek() != '{' {
		return
	}
	found := false
	_ = s.Object(func(name []byte) error {
		if string(name) != "$rpc" {
			return s.Skip(1)
		}
		if found {
			c.refuse("", "duplicate", "is given twice")
			return s.Skip(1)
		}
		found = true
		c.asked()
		if s.Peek() != '{' {
			c.refuse("", "type", "must be an object")
			return s.Skip(1)
		}
		seen := map[string]bool{}
		return s.Object(func(name []byte) error {
			if seen[string(name)] {
				c.refuse(string(name), "duplicate", "is given twice")
				return s.Skip(2)
			}
			seen[string(name)] = true
			return c.setting(&s, string(name))
		})
	})
}

// setting reads one member of $rpc.
func (c *Call) setting(s *scan.Scanner, name string) error {
	first := s.Peek()
	start := s.Pos
	if err := s.Skip(2); err != nil {
		return err
	}
	text := s.Src[start:s.Pos]
	switch name {
	case "timeout":
		c.setTimeout(first, text)
	case "callback":
		c.setCallback(unquoted(first, text))
	case "rayId":
		c.setRay(first, text)
	case "ignoreCache":
		if first != 't' && first != 'f' {
			c.refuse(name, "type", "must be a boolean")
		}
		c.control.ignoreCache = first == 't'
	case "idempotencyKey":
		c.setIdempotencyKey(first, text)
	default:
		c.refuse(name, "unknown", "is not a known setting")
	}
	return nil
}

// setTimeout takes seconds; beyond the bounds is a violation, never clamped.
func (c *Call) setTimeout(first byte, text []byte) {
	lo, hi := c.exec.options.MinTimeout, c.exec.options.MaxTimeout
	seconds, err := strconv.ParseFloat(string(text), 64)
	if first != '-' && (first < '0' || first > '9') {
		c.refuse("timeout", "type", "must be a number")
		return
	}
	d := time.Duration(math.Min(seconds, 1e9) * float64(time.Second))
	if err != nil || d < lo || d > hi {
		c.refuse("timeout", "range", "must be a number of seconds from "+number(lo)+" to "+number(hi))
		return
	}
	c.control.timeout = d
}

// setCallback takes a URL that answers may be posted to. Without a [Deferrer]
// the call is refused later, for another reason.
func (c *Call) setCallback(callback string) {
	if !webURL(callback) {
		c.refuse("callback", "format", "must be an http or https URL")
		return
	}
	if d := c.exec.deferrer; d != nil && c.control.deferred == nil {
		if problem := d.Permit(callback); problem != "" {
			c.refuse("callback", "target", problem)
			return
		}
	}
	c.control.callback = callback
}

func number(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) }

// maxRay is the longest ray id, in bytes.
const maxRay = 128

func (c *Call) setRay(first byte, text []byte) {
	ray := string(text)
	if first == '"' {
		ray = unquoted(first, text)
	} else if _, err := strconv.ParseInt(ray, 10, 64); err != nil {
		c.refuse("rayId", "type", "must be a string or an integer")
		return
	}
	if ray == "" || len(ray) > maxRay {
		c.refuse("rayId", "range", "must have 1 to 128 bytes")
		return
	}
	c.RayID = ray
}

// maxIdempotencyKey is the longest idempotency key, in bytes.
const maxIdempotencyKey = 128

func (c *Call) setIdempotencyKey(first byte, text []byte) {
	key := unquoted(first, text)
	switch {
	case first != '"':
		c.refuse("idempotencyKey", "type", "must be a string")
	case key == "":
		c.refuse("idempotencyKey", "range", "must have 1 to 128 bytes")
	case c.IdempotencyKey != "" && c.IdempotencyKey != key:
		c.refuse("idempotencyKey", "conflict", "is not the key of the request's header")
	default:
		c.IdempotencyKey = key
		c.control.keyed = true
	}
}

func unquoted(first byte, text []byte) string {
	if first != '"' {
		return ""
	}
	return string(scan.Unquote(text[1 : len(text)-1]))
}

// refuse notes what is wrong with a member of $rpc; an empty name is $rpc itself.
func (c *Call) refuse(name, rule, message string) {
	k := c.asked()
	if len(k.violations) >= params.MaxViolations {
		return
	}
	at := "/$rpc"
	if name != "" {
		at += params.Pointer(name)
	}
	k.violations = append(k.violations, rpcerrors.Violation{Pointer: at, Rule: rule, Message: message})
}
