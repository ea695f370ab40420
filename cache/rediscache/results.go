package rediscache

import (
	"context"
	"time"
)

// Load returns the value saved under key, from the local copy if there is one.
// The value is shared: do not change it.
func (p *Pool) Load(ctx context.Context, key string) (value []byte, ok bool, err error) {
	value, ok, err = bytesOf(p.readLocal(ctx, p.results+key))
	return value, ok, failed("Load", err)
}

// Save keeps value under key for ttl, or for less when Redis needs the memory
// and may evict it.
func (p *Pool) Save(ctx context.Context, key string, value []byte, ttl time.Duration) error {
	return failed("Save", p.set(ctx, p.results+key, value, ttl))
}

// Drop forgets the value saved under key, if there is one.
func (p *Pool) Drop(ctx context.Context, key string) error {
	key = p.results + key
	return failed("Drop", p.write(ctx, key, p.client.B().Del().Key(key).Build()).Error())
}

// set writes a value, whether there is one or not.
func (p *Pool) set(ctx context.Context, key string, value []byte, ttl time.Duration) error {
	b := p.client.B()
	switch {
	case ttl < 0: // over already
		return p.write(ctx, key, b.Del().Key(key).Build()).Error()
	case ttl == 0:
		return p.write(ctx, key, b.Set().Key(key).Value(string(value)).Build()).Error()
	}
	return p.write(ctx, key, b.Set().Key(key).Value(string(value)).PxMilliseconds(milliseconds(ttl)).Build()).Error()
}
