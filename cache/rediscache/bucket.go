package rediscache

import (
	"context"
	"strconv"
	"time"
)

// take keeps one number of a bucket, the time in microseconds at which it will
// be full again, and only until then. The clock is that of Redis, so those of
// the processes need not agree; when it was set back, or the bucket was larger
// before, no more than an empty bucket is owed.
const take = `local t = redis.call('TIME')
local now = t[1] * 1000000 + t[2]
local most = tonumber(ARGV[2])
local full = tonumber(redis.call('GET', KEYS[1]) or now)
full = math.min(math.max(full, now), now + most) + ARGV[1]
local wait = full - now - most
if wait > 0 then return wait end
redis.call('SET', KEYS[1], string.format('%.0f', full), 'PX', math.ceil((full - now) / 1000))
return 0`

// Take takes n tokens, 1 to burst, out of the bucket of key, all or none, in one
// step for all processes. A bucket that nobody knows is full, with burst tokens;
// one comes back in each, which counts in microseconds, rounded up. A wait above
// 0 says that none was taken, and after which time n are there. After an error
// they may have been taken or not. A bucket that Redis evicts is full again.
func (p *Pool) Take(ctx context.Context, key string, n, burst int, each time.Duration) (wait time.Duration, err error) {
	w, end := p.patience(ctx)
	defer end()
	us := microseconds(each)
	micros, err := p.client.Do(w, p.client.B().Eval().Script(take).Numkeys(1).Key(p.buckets+key).
		Arg(strconv.FormatInt(int64(n)*us, 10), strconv.FormatInt(int64(burst)*us, 10)).Build()).AsInt64()
	return time.Duration(micros) * time.Microsecond, failed("Take", err)
}

// microseconds of d, rounded up.
func microseconds(d time.Duration) int64 {
	return int64((d + time.Microsecond - 1) / time.Microsecond)
}
