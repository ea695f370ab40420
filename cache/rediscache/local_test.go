package rediscache_test

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/rueidis"

	"github.com/facet-rpc/facet/rpc/rpctest"
)

// slack is what a loaded machine adds to a bound.
const slack = 500 * time.Millisecond

// commands is how often the server has run each command.
func commands(tb testing.TB, client rueidis.Client) map[string]int {
	tb.Helper()
	text, err := client.Do(tb.Context(), client.B().Info().Section("commandstats").Build()).ToString()
	if err != nil {
		tb.Fatal(err)
	}
	counts := map[string]int{}
	for line := range strings.Lines(text) {
		name, rest, ok := strings.Cut(strings.TrimPrefix(line, "cmdstat_"), ":calls=")
		if !ok {
			continue
		}
		calls, _, _ := strings.Cut(rest, ",")
		if counts[name], err = strconv.Atoi(calls); err != nil {
			tb.Fatalf("commandstats has %q", line)
		}
	}
	return counts
}

// asked is the number of reads among them.
func asked(counts map[string]int) int { return counts["get"] + counts["exec"] + counts["exists"] }

// TestWarmHitIsLocal counts what the server is asked: nothing, for a result
// and for a counter that were read before.
func TestWarmHitIsLocal(t *testing.T) {
	server := rpctest.Redis(t)
	pool, client := open(t, server), admin(t, server)
	ctx := t.Context()
	if err := pool.Save(ctx, "result", []byte("value"), time.Minute); err != nil {
		t.Fatal(err)
	}
	if _, err := pool.Incr(ctx, "generation", 0); err != nil {
		t.Fatal(err)
	}
	if err := pool.Put(ctx, "session", []byte(`{"user":7}`), time.Minute); err != nil {
		t.Fatal(err)
	}
	load := func() {
		if value, ok, err := pool.Load(ctx, "result"); string(value) != "value" || !ok || err != nil {
			t.Fatalf("Load = %q, %t, %v", value, ok, err)
		}
		if value, ok, err := pool.Get(ctx, "generation"); string(value) != "1" || !ok || err != nil {
			t.Fatalf("Get = %q, %t, %v", value, ok, err)
		}
		if _, ok, err := pool.Load(ctx, "miss"); ok || err != nil {
			t.Fatalf("Load of nothing = %t, %v", ok, err)
		}
	}
	load()
	before := asked(commands(t, client))
	for range 1000 {
		load()
	}
	if after := asked(commands(t, client)); after != before {
		t.Errorf("1000 warm hits asked Redis %d times, want 0", after-before)
	}
	before = asked(commands(t, client))
	for range 10 {
		if _, ok, err := pool.Get(ctx, "session"); !ok || err != nil {
			t.Fatalf("Get = %t, %v", ok, err)
		}
	}
	if after := asked(commands(t, client)); after-before != 10 {
		t.Errorf("10 reads of a session asked Redis %d times, want 10", after-before)
	}
}

// TestPush measures how long another node has the old value.
func TestPush(t *testing.T) { // R-K04
	server := rpctest.Redis(t)
	here, there := open(t, server), open(t, server)
	ctx := t.Context()
	var worst time.Duration
	for n := range int64(200) {
		want := strconv.FormatInt(n+1, 10)
		if _, err := here.Incr(ctx, "generation", 0); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		// At once where the bump was made.
		if value, _, err := here.Get(ctx, "generation"); string(value) != want || err != nil {
			t.Fatalf("the node that bumped reads %q, %v; want %s", value, err, want)
		}
		worst = max(worst, until(t, began, func() bool {
			value, _, err := there.Get(ctx, "generation")
			if err != nil {
				t.Fatal(err)
			}
			return string(value) == want
		}))
	}
	t.Logf("after 200 bumps the other node was behind for %v at most", worst)

	save := func(value string) {
		if err := here.Save(ctx, "result", []byte(value), time.Minute); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		until(t, began, func() bool {
			got, _, err := there.Load(ctx, "result")
			return string(got) == value && err == nil
		})
	}
	save("one")
	save("two")
	if err := here.Drop(ctx, "result"); err != nil {
		t.Fatal(err)
	}
	until(t, time.Now(), func() bool { _, ok, err := there.Load(ctx, "result"); return !ok && err == nil })
}

// until waits until ok, a second since began at most, and says how long it was.
func until(t *testing.T, began time.Time, ok func() bool) time.Duration {
	t.Helper()
	for !ok() {
		if since := time.Since(began); since > time.Second {
			t.Fatalf("not pushed after %v", since)
		}
	}
	return time.Since(began)
}

// TestStrongRecords: what is not a counter is the same on all nodes at once.
func TestStrongRecords(t *testing.T) {
	server := rpctest.Redis(t)
	here, there := open(t, server), open(t, server)
	ctx := t.Context()
	for i := range 200 {
		key := "session " + strconv.Itoa(i)
		if _, ok, err := there.Get(ctx, key); ok || err != nil {
			t.Fatalf("Get of nothing = %t, %v", ok, err)
		}
		if stored, err := here.PutIfAbsent(ctx, key, []byte("open"), time.Minute); !stored || err != nil {
			t.Fatalf("PutIfAbsent = %t, %v", stored, err)
		}
		if value, _, err := there.Get(ctx, key); string(value) != "open" || err != nil {
			t.Fatalf("Get on the other node = %q, %v", value, err)
		}
		if found, err := here.Delete(ctx, key); !found || err != nil {
			t.Fatalf("Delete = %t, %v", found, err)
		}
		if _, ok, err := there.Get(ctx, key); ok || err != nil {
			t.Fatalf("Get on the other node after Delete = %t, %v", ok, err)
		}
	}
}

// TestCopiesEndWithConnection: a node that was cut off does not answer from
// the copies it had before.
func TestCopiesEndWithConnection(t *testing.T) { // R-K04
	server := rpctest.Redis(t)
	pool, client := open(t, server), admin(t, server)
	ctx := t.Context()
	for _, value := range []string{"one", "two"} {
		if err := pool.Save(ctx, value, []byte(value), time.Minute); err != nil {
			t.Fatal(err)
		}
		if _, ok, err := pool.Load(ctx, value); !ok || err != nil {
			t.Fatalf("Load = %t, %v", ok, err)
		}
	}
	// The connections of the pool end, and only then the value changes.
	if err := client.Do(ctx, client.B().Arbitrary("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes").Build()).Error(); err != nil {
		t.Fatal(err)
	}
	if err := client.Do(ctx, client.B().Flushall().Build()).Error(); err != nil {
		t.Fatal(err)
	}
	until(t, time.Now(), func() bool { _, ok, err := pool.Load(ctx, "one"); return !ok && err == nil })
	if _, ok, err := pool.Load(ctx, "two"); ok || err != nil {
		t.Errorf("Load = %t, %v; want nothing", ok, err)
	}
}

// TestPaused: copies of a node that Redis does not answer end within a second,
// because somebody else may be able to change them.
func TestPaused(t *testing.T) {
	server := rpctest.Redis(t)
	pool := open(t, server)
	ctx := context.WithoutCancel(t.Context())
	if err := pool.Save(ctx, "result", []byte("value"), time.Minute); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := pool.Load(ctx, "result"); !ok || err != nil {
		t.Fatalf("Load = %t, %v", ok, err)
	}
	server.Pause()
	began := time.Now()
	again := time.NewTicker(time.Millisecond)
	defer again.Stop()
	var served time.Duration
	for range again.C {
		if _, ok, err := pool.Load(ctx, "result"); !ok || err != nil {
			break
		}
		if served = time.Since(began); served > time.Second+slack {
			t.Fatalf("a copy was served %v after Redis had stopped answering", served)
		}
	}
	t.Logf("copies were served for %v after Redis had stopped answering", served)
	server.Resume()
	until(t, time.Now(), func() bool { _, ok, err := pool.Load(ctx, "result"); return ok && err == nil })
}
