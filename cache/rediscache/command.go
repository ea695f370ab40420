package rediscache

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/redis/rueidis"
)

// read gets a value from Redis itself.
func (p *Pool) read(ctx context.Context, key string) rueidis.RedisResult {
	w, end := p.patience(ctx)
	defer end()
	return p.client.Do(w, p.client.B().Get().Key(key).Build())
}

// readLocal gets a value from the local copy if there is one, else from Redis,
// and has Redis push its changes.
func (p *Pool) readLocal(ctx context.Context, key string) rueidis.RedisResult {
	w, end := p.patience(ctx)
	defer end()
	result := p.client.DoCache(w, p.client.B().Get().Key(key).Cache(), localTTL)
	if reply, ok := rueidis.IsRedisErr(result.Error()); ok && strings.HasPrefix(reply.Error(), "OOM") {
		// A full Redis refuses the transaction that reads a value with its ttl.
		return p.client.Do(w, p.client.B().Get().Key(key).Build())
	}
	return result
}

// write runs a command that changes key, and returns when the local copy of
// key is gone: the answer to the second command comes after the push that the
// first one caused.
func (p *Pool) write(ctx context.Context, key string, command rueidis.Completed) rueidis.RedisResult {
	w, end := p.patience(ctx)
	defer end()
	return p.client.DoMulti(w, command, p.client.B().Exists().Key(key).Build())[0]
}

// bytesOf is the value of an answer; ok is false when there is none.
func bytesOf(r rueidis.RedisResult) (value []byte, ok bool, err error) {
	value, err = r.AsBytes()
	if rueidis.IsRedisNil(err) {
		return nil, false, nil
	}
	return value, err == nil, err
}

// failed says which of our methods failed, nil when none did.
func failed(method string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("rediscache: %s: %w", method, err)
}

// milliseconds of a ttl above 0, rounded up: Redis cannot count less than one.
func milliseconds(ttl time.Duration) int64 {
	return int64((ttl-1)/time.Millisecond) + 1
}

// patience bounds a command by the timeout of the pool and the deadline of
// ctx. It does not end when ctx is cancelled: connections and the fetching of a
// local copy are shared with other calls, which would fail with this one.
func (p *Pool) patience(ctx context.Context) (*patience, func()) {
	w := &patience{Context: context.Background(), until: time.Now().Add(p.timeout), caller: ctx}
	if d, ok := ctx.Deadline(); ok && d.Before(w.until) {
		w.until = d
	}
	return w, w.end
}

// patience is a context with a deadline that makes its timer when somebody
// begins to wait, which nobody does for a local copy.
type patience struct {
	context.Context
	until  time.Time
	caller context.Context

	mu     sync.Mutex
	timed  context.Context // nil: nobody waits
	cancel context.CancelFunc
}

func (w *patience) Deadline() (time.Time, bool) { return w.until, true }

func (w *patience) Done() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timed == nil {
		w.timed, w.cancel = context.WithDeadline(w.Context, w.until)
	}
	return w.timed.Done()
}

func (w *patience) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timed != nil {
		return w.timed.Err()
	}
	if err := w.caller.Err(); err != nil {
		return err // it had ended before anything was sent
	}
	if !time.Now().Before(w.until) {
		return context.DeadlineExceeded
	}
	return nil
}

func (w *patience) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.cancel != nil {
		w.cancel()
	}
}
