package rpc

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"sync"
	"time"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"go.uber.org/zap"
)

const (
	// pendingTime is how long a key stays taken when the program that runs the
	// method has died; a living one prolongs it every pendingBeat.
	pendingTime = 30 * time.Second
	pendingBeat = pendingTime / 3
)

// idempotent answers a call whose key is known with the first answer, and
// keeps the answer of one whose key is new.
func idempotent(x *Executor, s *Spec, next Handler) Handler {
	if s.Declared.Idempotency.TTL == 0 {
		return next
	}
	return func(ctx context.Context, c *Call) (Response, error) {
		if c.IdempotencyKey == "" {
			return next(ctx, c)
		}
		c.lookup = &lookup{}
		key, print := x.idempotencyKey(c, s), x.fingerprint(c, s)
		mine := appendRecord(nil, recordPending, print, rand.Text())
		for pause := firstPoll; ; {
			taken, err := x.take(ctx, c, key, mine)
			if err != nil {
				return Response{}, unkeyed(ctx, err)
			}
			if taken {
				return x.first(ctx, c, s, next, key, mine)
			}
			record, found, err := x.options.Records.Get(ctx, key)
			if err != nil {
				return Response{}, unkeyed(ctx, err)
			}
			state, before, answer, ok := readRecord(record)
			switch {
			case bytes.Equal(record, mine): // taken before, by a try whose answer was lost
				return x.first(ctx, c, s, next, key, mine)
			case !found: // its time was over, or the first call failed: try again
			case !ok:
				return Response{}, rpcerrors.Unavailable.New("The answer to the idempotency key cannot be read.")
			case before != print:
				return Response{}, rpcerrors.IdempotencyConflict.New("")
			case state != recordPending:
				return x.replay(c, state, answer)
			}
			if !sleep(ctx, &pause) {
				return Response{}, ctx.Err()
			}
		}
	}
}

// unkeyed is the answer when nobody can tell whether the key was used.
func unkeyed(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return rpcerrors.Unavailable.Wrap(err, "The idempotency key cannot be looked up now.")
}

// first runs the method for a new key and keeps its answer, or frees the key.
func (x *Executor) first(ctx context.Context, c *Call, s *Spec, next Handler, key string, mine []byte) (response Response, err error) {
	running, stop := x.beat(ctx, c, key, mine)
	settled := false
	defer func() {
		stop()
		if !settled { // also after a panic
			x.free(ctx, c, key, mine)
		}
	}()
	response, err = next(running, c)
	stop()
	var record []byte
	_, print, _, _ := readRecord(mine)
	switch {
	case err == nil:
		record = appendRecord(nil, recordResult, print, string(response.bytes))
	case c.lookup.invoked && ctx.Err() == nil:
		e := x.fail(ctx, c, err)
		c.lookup.reported, err = e, e
		if !lasting(e) {
			return response, err
		}
		record = appendRecord(nil, recordError, print, string(appendError(nil, e)))
	default:
		return response, err
	}
	settled = true
	// From here on the work is done, whether the caller is still there or not.
	if failed := x.options.Records.Put(context.WithoutCancel(ctx), key, record, s.Declared.Idempotency.TTL); failed != nil {
		x.counters.failures.Add(1)
		x.options.Logger.Error("the answer to an idempotency key could not be kept: a repeated call will run the method again", append(c.fields(), zap.Error(failed))...)
	}
	return response, err
}

// lasting reports whether an error of a method is an answer that will be the
// same the next time: one that the method declares.
func lasting(e *rpcerrors.Error) bool {
	switch e.Code() {
	case rpcerrors.CodeInternal, rpcerrors.CodeTimeout, rpcerrors.CodeUnavailable, rpcerrors.CodeRateLimit, rpcerrors.CodeAsync:
		return false
	}
	return !e.Is(rpcerrors.Locked)
}

// replay answers with what is kept. It is neither logged nor published: that
// happened the first time.
func (x *Executor) replay(c *Call, state byte, answer []byte) (Response, error) {
	x.counters.replays.Add(1)
	c.lookup.replayed = true
	if state == recordResult {
		return Response{call: c, bytes: answer}, nil
	}
	e := readError(answer)
	c.lookup.reported = e
	return Response{}, e
}

// beat prolongs a key while its method runs. The context ends when the key is
// lost: another call may run the method then.
func (x *Executor) beat(ctx context.Context, c *Call, key string, mine []byte) (running context.Context, stop func()) {
	running, cancel := context.WithCancel(ctx)
	var mu sync.Mutex
	stopped := false
	var timer *time.Timer
	again := func() {
		mu.Lock()
		defer mu.Unlock()
		if stopped {
			return
		}
		record, found, err := x.options.Records.Get(context.WithoutCancel(ctx), key)
		if err == nil && found && bytes.Equal(record, mine) {
			found, err = x.options.Records.Touch(context.WithoutCancel(ctx), key, pendingTime)
		} else if err == nil {
			found = false
		}
		switch {
		case err != nil:
			x.bypassed(ctx, c, err)
		case !found:
			cancel()
			return
		}
		timer.Reset(pendingBeat)
	}
	mu.Lock()
	timer = time.AfterFunc(pendingBeat, again)
	mu.Unlock()
	return running, func() {
		mu.Lock()
		defer mu.Unlock()
		stopped = true
		timer.Stop()
		cancel()
	}
}

// checkIdempotencyKey refuses a key that cannot do what it is there for.
func (c *Call) checkIdempotencyKey(s *Spec) error {
	none := s.Declared.Idempotency.TTL == 0
	switch {
	case c.IdempotencyKey == "", none && (c.control == nil || !c.control.keyed): // a header may be there for anything
		return nil
	case none:
		c.refuse("idempotencyKey", "unsupported", "is not supported by this method")
	case len(c.IdempotencyKey) > maxIdempotencyKey:
		c.refuse("idempotencyKey", "range", "must have 1 to 128 bytes")
	default:
		return nil
	}
	return rpcerrors.InvalidParams.Invalid(c.control.violations)
}

// idempotencyKey is the record of a key: of one caller, and of one method with
// one form of answers.
func (x *Executor) idempotencyKey(c *Call, s *Spec) string {
	b := appendPart([]byte(nil), x.registry.app.Name)
	b = appendPart(b, s.Declared.Name)
	b = binary.AppendUvarint(b, uint64(s.Declared.Since))
	b = appendPart(b, c.Caller.ID)
	b = append(b, c.IdempotencyKey...)
	sum := sha256.Sum256(b)
	return "facet1.idempotency." + hex.EncodeToString(sum[:])
}

// fingerprint tells params apart.
func (x *Executor) fingerprint(c *Call, s *Spec) [sha256.Size]byte {
	if s.Params == nil {
		return sha256.Sum256(nil)
	}
	b := x.buffers.get()
	defer x.buffers.put(b)
	out, _, err := s.bound.key.Append(b.bytes[:0], c.params)
	b.bytes = out
	if err != nil {
		return sha256.Sum256(c.Params)
	}
	return sha256.Sum256(out)
}

// The states of a record: its first byte.
const (
	recordPending = 'P' // the method runs; the rest names who runs it
	recordResult  = 'R' // the rest is the result
	recordError   = 'E' // the rest is the error; see appendError
)

// A record is the version of the encoding, the state, the fingerprint of the
// params, and the rest.
func appendRecord(b []byte, state byte, print [sha256.Size]byte, rest string) []byte {
	b = append(b, entryVersion, state)
	b = append(b, print[:]...)
	return append(b, rest...)
}

func readRecord(b []byte) (state byte, print [sha256.Size]byte, rest []byte, ok bool) {
	if len(b) < 2+sha256.Size || b[0] != entryVersion {
		return 0, print, nil, false
	}
	copy(print[:], b[2:])
	return b[1], print, b[2+sha256.Size:], true
}

// appendError keeps what a caller saw of e: code, message and data.
func appendError(b []byte, e *rpcerrors.Error) []byte {
	b = binary.AppendVarint(b, int64(e.Code()))
	b = appendPart(b, e.Error())
	return append(b, e.AppendJSON(nil)...)
}

// readError is the error that appendError kept.
func readError(b []byte) *rpcerrors.Error {
	code, n := binary.Varint(b)
	size, m := binary.Uvarint(b[max(n, 0):])
	if rest := b[max(n, 0)+max(m, 0):]; n > 0 && m > 0 && size < uint64(len(rest)) {
		message, object := string(rest[:size]), rest[size:]
		// {"code":…,"message":…,"data":…}
		if _, data, ok := bytes.Cut(object, []byte(`,"data":`)); ok && len(data) > 0 {
			return rpcerrors.Received(int(code), message, data[:len(data)-1])
		}
	}
	return rpcerrors.Unavailable.New("The answer to the idempotency key cannot be read.")
}
