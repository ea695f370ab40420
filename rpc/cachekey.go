package rpc

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"strconv"
	"sync"
)

// identity is which parameters a call has, as far as its method can tell:
// their deterministic encoding, all fields and defaults in it. The order of
// members and the spelling of numbers do not matter, and no digit of an
// integer is lost (as it would be in RFC 8785).
type identity struct {
	params     string
	generation string // the key of the record that ends the share of these params
}

func newIdentity(s *Spec, params []byte) *identity {
	sum := sha256.Sum256(params)
	return &identity{string(params), s.bound.generation + "." + strconv.Itoa(int(sum[0])%shares)}
}

// identify encodes the decoded parameters of a call; ok is false for params
// that cannot be compared.
func (x *Executor) identify(c *Call, s *Spec) (id *identity, ok bool) {
	if s.Params == nil {
		id = newIdentity(s, nil)
	} else {
		b := x.buffers.get()
		defer x.buffers.put(b)
		out, _, err := s.bound.key.Append(b.bytes[:0], c.params)
		b.bytes = out
		if err != nil {
			return nil, false
		}
		id = newIdentity(s, out)
	}
	if c.control == nil {
		s.bound.spellings.remember(c.Params, id)
	}
	return id, true
}

const (
	maxSpellings = 1024 // by method
	maxSpelling  = 1024 // bytes, of the params as they came and as encoded
)

// spellings remember which params the bytes of a request mean, so that a hit
// need not decode them again. Only bytes that decoded without a violation and
// without $rpc are here; equal bytes mean equal params for ever.
type spellings struct {
	mu    sync.RWMutex
	known map[string]*identity
}

func (p *spellings) find(raw []byte) *identity {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.known[string(raw)]
}

func (p *spellings) remember(raw []byte, id *identity) {
	if len(raw) > maxSpelling || len(id.params) > maxSpelling {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.known == nil {
		p.known = map[string]*identity{}
	}
	if len(p.known) >= maxSpellings {
		for old := range p.known { // any: the order of a map is random
			delete(p.known, old)
			break
		}
	}
	p.known[string(raw)] = id
}

// resultKey names a result: everything it depends on, each part with its
// length before it, the generations among them.
func (x *Executor) resultKey(c *Call, a audience, id *identity, method, exact []byte) string {
	s := c.spec
	k := &s.Declared.Cache
	b := x.buffers.get()
	defer x.buffers.put(b)
	out := append(b.bytes[:0], "facet1"...)
	out = appendPart(out, x.registry.app.Name)
	out = appendPart(out, x.registry.app.Version)
	out = appendPart(out, s.Declared.Name)
	out = appendPart(out, c.Endpoint.Group)
	out = binary.AppendUvarint(out, uint64(c.Endpoint.Version))
	out = appendPart(out, method)
	out = appendPart(out, exact)
	if !k.LanguageFree {
		out = appendPart(out, c.Language)
		if r := x.registry.revision; r != nil {
			out = binary.AppendUvarint(out, r())
		}
	}
	out = appendPart(out, a.caller)
	out = appendPart(out, a.by)
	out = append(out, id.params...)
	b.bytes = out
	return string(out)
}

// audience is for whom a result is.
type audience struct {
	caller string // the id; empty under Shared
	by     string // what Cache.By adds
}

func audienceOf(k *Cache, c *Caller) (a audience) {
	if !k.Shared {
		a.caller = c.ID
	}
	if k.By != nil {
		a.by = k.By(c)
	}
	return a
}

// load reads a result. Whatever is wrong with the store is a miss.
func (x *Executor) load(ctx context.Context, c *Call, key string) (result []byte, fresh, ok bool) {
	entry, found, err := x.options.Store.Load(ctx, key)
	if err != nil {
		x.bypassed(ctx, c, err)
		return nil, false, false
	}
	if !found {
		return nil, false, false
	}
	return readEntry(entry, key)
}
