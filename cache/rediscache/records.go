package rediscache

import (
	"context"
	"strconv"
	"time"

	"github.com/redis/rueidis"
)

// Get returns the record of key: a counter from the local copy if there is
// one, everything else from Redis. The value is shared: do not change it.
func (p *Pool) Get(ctx context.Context, key string) (value []byte, ok bool, err error) {
	full := p.records + key
	if p.counters.has(full) {
		value, ok, err = bytesOf(p.readLocal(ctx, full))
		if err != nil || ok && isCounter(value) {
			return value, ok, failed("Get", err)
		}
		p.counters.remove(full) // it is something else now, or gone
	}
	value, ok, err = bytesOf(p.read(ctx, full))
	if ok && isCounter(value) {
		p.counters.add(full)
	}
	return value, ok, failed("Get", err)
}

// PutIfAbsent keeps value as the record of key for ttl, unless there is one
// already, which then stays as it is. Of several callers at once, on all nodes,
// exactly one is told stored.
func (p *Pool) PutIfAbsent(ctx context.Context, key string, value []byte, ttl time.Duration) (stored bool, err error) {
	key = p.records + key
	b := p.client.B()
	switch {
	case ttl < 0: // over already: nothing to keep
		n, err := p.write(ctx, key, b.Exists().Key(key).Build()).AsInt64()
		return n == 0 && err == nil, failed("PutIfAbsent", err)
	case ttl == 0:
		err = p.write(ctx, key, b.Set().Key(key).Value(string(value)).Nx().Build()).Error()
	default:
		err = p.write(ctx, key, b.Set().Key(key).Value(string(value)).Nx().PxMilliseconds(milliseconds(ttl)).Build()).Error()
	}
	if rueidis.IsRedisNil(err) {
		return false, nil
	}
	return err == nil, failed("PutIfAbsent", err)
}

// Put keeps value as the record of key for ttl, whether there is one or not.
func (p *Pool) Put(ctx context.Context, key string, value []byte, ttl time.Duration) error {
	return failed("Put", p.set(ctx, p.records+key, value, ttl))
}

// touch starts the ttl again in one step, so that it never meets a record that
// ends in between.
const touch = `if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
if ARGV[1] == '0' then redis.call('PERSIST', KEYS[1]) else redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return 1`

// Touch lets the ttl of a record start again, now. found is false when there is
// no record, or none any more.
func (p *Pool) Touch(ctx context.Context, key string, ttl time.Duration) (found bool, err error) {
	n, err := p.script(ctx, touch, p.records+key, ttl).AsInt64()
	return n == 1 && err == nil, failed("Touch", err)
}

// incr gives a ttl to a new counter only. The sum comes back as text: a number
// would lose digits above 2^53 in Lua.
const incr = `local new = redis.call('EXISTS', KEYS[1]) == 0
redis.call('INCR', KEYS[1])
local sum = redis.call('GET', KEYS[1])
if new and ARGV[1] ~= '0' then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return sum`

// Incr adds 1 to the counter of key and returns the sum: 1 when there was none.
// The ttl is that of the counter, from the Incr that made it; later ones do not
// prolong it, Touch does. When Incr returns, a Get in this process has the new
// sum, and in others as soon as they hear of it. It fails when the record is
// something else or as high as an int64 goes.
func (p *Pool) Incr(ctx context.Context, key string, ttl time.Duration) (int64, error) {
	key = p.records + key
	sum, err := p.script(ctx, incr, key, ttl).ToString()
	if err != nil {
		return 0, failed("Incr", err)
	}
	n, err := strconv.ParseInt(sum, 10, 64)
	if err != nil {
		return 0, failed("Incr", err)
	}
	p.counters.add(key)
	return n, nil
}

// Delete forgets the record of key. found is false when there is none, or none
// any more: of several callers at once exactly one is told found.
func (p *Pool) Delete(ctx context.Context, key string) (found bool, err error) {
	key = p.records + key
	n, err := p.write(ctx, key, p.client.B().Del().Key(key).Build()).AsInt64()
	return n == 1 && err == nil, failed("Delete", err)
}

// script runs Lua text on one key. The text is sent each time: it is shorter
// than the bookkeeping of scripts that a restart of Redis forgets.
func (p *Pool) script(ctx context.Context, text, key string, ttl time.Duration) rueidis.RedisResult {
	arg := int64(ttl)
	switch {
	case ttl > 0:
		arg = milliseconds(ttl)
	case ttl < 0:
		arg = -1
	}
	return p.write(ctx, key, p.client.B().Eval().Script(text).Numkeys(1).Key(key).Arg(strconv.FormatInt(arg, 10)).Build())
}
