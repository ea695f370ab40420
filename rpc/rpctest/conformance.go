package rpctest

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/facet-rpc/facet/rpc"
)

// TestStore holds a store of results to what the executor relies on; run it on
// a store of your own. Its keys begin with the name of the test and the time,
// so that one database serves many runs. The store must have room for a
// megabyte.
func TestStore(t *testing.T, store rpc.Store) {
	ctx, key := t.Context(), keys(t)
	load := func(t *testing.T, key, want string, found bool) {
		t.Helper()
		value, ok, err := store.Load(ctx, key)
		if err != nil || ok != found || string(value) != want {
			t.Errorf("Load = %q, %t, %v; want %q, %t", value, ok, err, want, found)
		}
	}
	save := func(t *testing.T, key, value string, ttl time.Duration) {
		t.Helper()
		if err := store.Save(ctx, key, []byte(value), ttl); err != nil {
			t.Errorf("Save: %v", err)
		}
	}
	t.Run("what is not there is a miss without an error", func(t *testing.T) {
		load(t, key(), "", false)
	})
	t.Run("a saved value is loaded, again and again", func(t *testing.T) {
		k := key()
		save(t, k, "one", time.Minute)
		load(t, k, "one", true)
		load(t, k, "one", true)
	})
	t.Run("a miss is not remembered after Save", func(t *testing.T) {
		k := key()
		load(t, k, "", false)
		save(t, k, "one", time.Minute)
		load(t, k, "one", true)
	})
	t.Run("after Save an older value is never loaded", func(t *testing.T) {
		k := key()
		for i := range 50 {
			save(t, k, strconv.Itoa(i), time.Minute)
			load(t, k, strconv.Itoa(i), true)
		}
	})
	t.Run("after Drop there is nothing", func(t *testing.T) {
		k := key()
		save(t, k, "one", 0)
		load(t, k, "one", true)
		if err := store.Drop(ctx, k); err != nil {
			t.Errorf("Drop: %v", err)
		}
		load(t, k, "", false)
		if err := store.Drop(ctx, k); err != nil {
			t.Errorf("Drop of nothing: %v", err)
		}
	})
	t.Run("a ttl ends a value", func(t *testing.T) {
		k := key()
		save(t, k, "one", 20*time.Millisecond)
		eventually(t, func() bool { _, ok, err := store.Load(ctx, k); return !ok && err == nil })
		save(t, k, "two", -time.Second)
		load(t, k, "", false)
	})
	t.Run("empty, binary and large values and keys", func(t *testing.T) {
		large := string(bytes.Repeat([]byte("x"), 1<<20/2))
		for name, value := range map[string]string{"empty": "", "binary": "\x00\r\n$-1\r\n\xff{a}", "large": large} {
			k := key() + "\x00\xff{" + name + "}"
			save(t, k, value, time.Minute)
			load(t, k, value, true)
		}
	})
	t.Run("the value is a copy", func(t *testing.T) {
		k, value := key(), []byte("one")
		if err := store.Save(ctx, k, value, time.Minute); err != nil {
			t.Fatal(err)
		}
		value[0] = 'X'
		load(t, k, "one", true)
	})
}

// TestRecords holds a table of records to what sessions, idempotency keys and
// generations rely on; run it on a table of your own.
func TestRecords(t *testing.T, records rpc.Records) {
	t.Run("values", func(t *testing.T) { testRecordValues(t, records) })
	t.Run("ttl", func(t *testing.T) { testRecordTTL(t, records) })
	t.Run("counters", func(t *testing.T) { testCounters(t, records) })
	t.Run("of many at once one is told", func(t *testing.T) { testRecordRaces(t, records) })
}

// recordKit is a table of records with checks.
type recordKit struct {
	rpc.Records
	t   *testing.T
	ctx context.Context
}

func (k recordKit) want(key, value string, found bool) {
	k.t.Helper()
	got, ok, err := k.Get(k.ctx, key)
	if err != nil || ok != found || string(got) != value {
		k.t.Errorf("Get = %q, %t, %v; want %q, %t", got, ok, err, value, found)
	}
}

func (k recordKit) put(key, value string, ttl time.Duration) {
	k.t.Helper()
	if err := k.Put(k.ctx, key, []byte(value), ttl); err != nil {
		k.t.Errorf("Put: %v", err)
	}
}

// told checks an answer that is a bool.
func (k recordKit) told(what string, got bool, err error, want bool) {
	k.t.Helper()
	if err != nil || got != want {
		k.t.Errorf("%s = %t, %v; want %t", what, got, err, want)
	}
}

func (k recordKit) incr(key string, ttl time.Duration, want int64) {
	k.t.Helper()
	if n, err := k.Incr(k.ctx, key, ttl); err != nil || n != want {
		k.t.Errorf("Incr = %d, %v; want %d", n, err, want)
	}
}

func (k recordKit) gone(key string) {
	k.t.Helper()
	eventually(k.t, func() bool { _, ok, err := k.Get(k.ctx, key); return !ok && err == nil })
}

func testRecordValues(t *testing.T, records rpc.Records) {
	k, key := recordKit{records, t, t.Context()}, keys(t)
	a := key()
	k.want(a, "", false)
	found, err := k.Delete(k.ctx, a)
	k.told("Delete of nothing", found, err, false)
	stored, err := k.PutIfAbsent(k.ctx, a, []byte("first"), time.Minute)
	k.told("PutIfAbsent", stored, err, true)
	stored, err = k.PutIfAbsent(k.ctx, a, []byte("second"), time.Minute)
	k.told("PutIfAbsent of what is there", stored, err, false)
	k.want(a, "first", true)
	k.put(a, "third", 0)
	k.want(a, "third", true)
	found, err = k.Delete(k.ctx, a)
	k.told("Delete", found, err, true)
	k.want(a, "", false)
	stored, err = k.PutIfAbsent(k.ctx, a, []byte("fourth"), 0)
	k.told("PutIfAbsent after Delete", stored, err, true)
	for _, value := range []string{"", "\x00\r\n\xff", "007", "-", "1.5", string(bytes.Repeat([]byte("x"), 1<<19))} {
		k.put(a, value, time.Minute)
		k.want(a, value, true)
		k.want(a, value, true)
	}
	value := []byte("one")
	if err := k.Put(k.ctx, a, value, 0); err != nil {
		t.Fatal(err)
	}
	value[0] = 'X'
	k.want(a, "one", true)
}

func testRecordTTL(t *testing.T, records rpc.Records) {
	const short = 30 * time.Millisecond
	k, key := recordKit{records, t, t.Context()}, keys(t)
	a := key()
	k.put(a, "one", short)
	k.gone(a)
	found, err := k.Touch(k.ctx, a, time.Minute)
	k.told("Touch of what is gone", found, err, false)
	stored, err := k.PutIfAbsent(k.ctx, a, []byte("two"), short)
	k.told("PutIfAbsent of what is gone", stored, err, true)
	k.gone(a)

	b := key()
	k.put(b, "one", 0) // for ever
	found, err = k.Touch(k.ctx, b, short)
	k.told("Touch", found, err, true)
	k.gone(b)
	k.put(b, "two", time.Minute)
	found, err = k.Touch(k.ctx, b, -1)
	k.told("Touch with a ttl that is over", found, err, true)
	k.want(b, "", false)

	c := key() // a Touch for ever outlives the ttl
	k.put(c, "one", short)
	found, err = k.Touch(k.ctx, c, 0)
	k.told("Touch for ever", found, err, true)
	d := key()
	k.put(d, "later", 2*short)
	k.gone(d)
	k.want(c, "one", true)
	found, err = k.Touch(k.ctx, c, 0)
	k.told("Touch for ever again", found, err, true)

	e := key()
	k.put(e, "one", -1)
	k.want(e, "", false)
	stored, err = k.PutIfAbsent(k.ctx, e, []byte("one"), -1)
	k.told("PutIfAbsent with a ttl that is over", stored, err, true)
	k.want(e, "", false)
	k.incr(e, -1, 1)
	k.want(e, "", false)
}

func testCounters(t *testing.T, records rpc.Records) {
	k, key := recordKit{records, t, t.Context()}, keys(t)
	a := key()
	for n := range int64(50) {
		k.incr(a, 0, n+1)
		k.want(a, strconv.FormatInt(n+1, 10), true) // read what was written, each time
	}
	found, err := k.Delete(k.ctx, a)
	k.told("Delete", found, err, true)
	k.want(a, "", false)
	k.incr(a, time.Minute, 1)

	b := key() // the text of a number is a counter, and may become something else
	for _, c := range []struct {
		text string
		next int64
	}{{"41", 42}, {"-1", 0}, {strconv.FormatInt(math.MaxInt64-1, 10), math.MaxInt64}} {
		k.put(b, c.text, 0)
		k.want(b, c.text, true)
		k.incr(b, 0, c.next)
		k.want(b, strconv.FormatInt(c.next, 10), true)
	}
	if n, err := k.Incr(k.ctx, b, 0); err == nil {
		t.Errorf("Incr of the highest int64 = %d, want an error", n)
	}
	k.put(b, `{"a":1}`, 0)
	k.want(b, `{"a":1}`, true)
	if n, err := k.Incr(k.ctx, b, 0); err == nil {
		t.Errorf("Incr of a record that is no number = %d, want an error", n)
	}
	k.want(b, `{"a":1}`, true)

	c := key() // the ttl counts from the Incr that made the counter
	k.incr(c, 60*time.Millisecond, 1)
	k.incr(c, time.Hour, 2)
	k.gone(c)
	k.incr(c, 0, 1)
}

func testRecordRaces(t *testing.T, records rpc.Records) {
	const callers = 50
	k, key := recordKit{records, t, t.Context()}, keys(t)
	a, n := key(), key()
	race := func(f func(i int) (bool, error)) (told int64) {
		var count atomic.Int64
		var all sync.WaitGroup
		for i := range callers {
			all.Go(func() {
				ok, err := f(i)
				if err != nil {
					t.Error(err)
				}
				if ok {
					count.Add(1)
				}
			})
		}
		all.Wait()
		return count.Load()
	}
	if got := race(func(i int) (bool, error) { return k.PutIfAbsent(k.ctx, a, fmt.Appendf(nil, "v%d", i), 0) }); got != 1 {
		t.Errorf("PutIfAbsent told stored to %d of %d callers", got, callers)
	}
	if got := race(func(int) (bool, error) { return k.Delete(k.ctx, a) }); got != 1 {
		t.Errorf("Delete told found to %d of %d callers", got, callers)
	}
	if got := race(func(int) (bool, error) {
		sum, err := k.Incr(k.ctx, n, 0)
		return sum == callers, err
	}); got != 1 {
		t.Errorf("Incr told the last sum to %d of %d callers", got, callers)
	}
	k.want(n, strconv.Itoa(callers), true)
}

// keys makes a new key each time.
func keys(t *testing.T) func() string {
	prefix := t.Name() + " " + strconv.FormatInt(time.Now().UnixNano(), 36) + " "
	var n atomic.Int64
	return func() string { return prefix + strconv.FormatInt(n.Add(1), 10) }
}

// eventually waits until ok, which takes a moment where a clock of its own is
// at work.
func eventually(t *testing.T, ok func() bool) {
	t.Helper()
	const limit = 5 * time.Second
	over := time.After(limit)
	again := time.NewTicker(2 * time.Millisecond)
	defer again.Stop()
	for !ok() {
		select {
		case <-over:
			t.Fatalf("not so after %v", limit)
		case <-again.C:
		}
	}
}
