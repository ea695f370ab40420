package cache_test

import (
	"errors"
	"math"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/facet-rpc/facet/cache"
)

func got(t testing.TB, m *cache.Memory, key string) string {
	t.Helper()
	v, ok, err := m.Get(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	if !ok {
		return "none"
	}
	return string(v)
}

func TestRecords(t *testing.T) {
	m := newPool(t)
	ctx := t.Context()
	yes := func(rule string, want bool) func(bool, error) {
		return func(v bool, err error) {
			t.Helper()
			if v != want || err != nil {
				t.Errorf("%s: got %v, %v", rule, v, err)
			}
		}
	}
	is := func(rule, key, want string) {
		t.Helper()
		if v := got(t, m, key); v != want {
			t.Errorf("%s: got %s, want %s", rule, v, want)
		}
	}
	is("no record", "k", "none")
	yes("Touch of none", false)(m.Touch(ctx, "k", time.Hour))
	yes("Delete of none", false)(m.Delete(ctx, "k"))
	yes("PutIfAbsent stores", true)(m.PutIfAbsent(ctx, "k", []byte("a"), time.Hour))
	yes("PutIfAbsent of one that is there", false)(m.PutIfAbsent(ctx, "k", []byte("b"), time.Hour))
	is("it stays as it is", "k", "a")
	must(t, m.Put(ctx, "k", []byte("c"), time.Hour))
	is("Put replaces", "k", "c")
	yes("Touch", true)(m.Touch(ctx, "k", time.Minute))
	is("Touch keeps the value", "k", "c")
	yes("Delete", true)(m.Delete(ctx, "k"))
	yes("Delete again", false)(m.Delete(ctx, "k"))
	must(t, m.Put(ctx, "k", nil, 0))
	is("an empty value is a record", "k", "")
	must(t, m.Save(ctx, "k", []byte("result"), 0))
	is("results have their own keys", "k", "")
}

func TestRecordTTL(t *testing.T) {
	const s = time.Second
	for _, tc := range []struct {
		rule  string
		do    func(t *testing.T, m *cache.Memory)
		lasts time.Duration // 0: for ever
	}{
		{"Put", func(t *testing.T, m *cache.Memory) { must(t, m.Put(t.Context(), "k", nil, s)) }, s},
		{"Put for ever", func(t *testing.T, m *cache.Memory) { must(t, m.Put(t.Context(), "k", nil, 0)) }, 0},
		{"Put, longer than a Duration from now", func(t *testing.T, m *cache.Memory) {
			<-time.After(s)
			must(t, m.Put(t.Context(), "k", nil, math.MaxInt64-1))
		}, 0},
		{"Put again, shorter", func(t *testing.T, m *cache.Memory) {
			must(t, m.Put(t.Context(), "k", nil, time.Hour))
			must(t, m.Put(t.Context(), "k", nil, s))
		}, s},
		{"Put again, for ever", func(t *testing.T, m *cache.Memory) {
			must(t, m.Put(t.Context(), "k", nil, s))
			must(t, m.Put(t.Context(), "k", nil, 0))
		}, 0},
		{"PutIfAbsent that stores nothing", func(t *testing.T, m *cache.Memory) {
			must(t, m.Put(t.Context(), "k", nil, s))
			only[bool](t)(m.PutIfAbsent(t.Context(), "k", nil, time.Hour))
		}, s},
		{"Touch prolongs", func(t *testing.T, m *cache.Memory) {
			must(t, m.Put(t.Context(), "k", nil, s))
			<-time.After(s - 1)
			only[bool](t)(m.Touch(t.Context(), "k", 3*s))
		}, 3 * s},
		{"Touch shortens", func(t *testing.T, m *cache.Memory) {
			must(t, m.Put(t.Context(), "k", nil, time.Hour))
			only[bool](t)(m.Touch(t.Context(), "k", s))
		}, s},
		{"Touch for ever, then not", func(t *testing.T, m *cache.Memory) {
			must(t, m.Put(t.Context(), "k", nil, s))
			only[bool](t)(m.Touch(t.Context(), "k", 0))
			<-time.After(5 * s)
			only[bool](t)(m.Touch(t.Context(), "k", s))
		}, s},
		{"Incr counts its ttl from the first", func(t *testing.T, m *cache.Memory) {
			only[int64](t)(m.Incr(t.Context(), "k", 2*s))
			<-time.After(s)
			only[int64](t)(m.Incr(t.Context(), "k", 2*s))
		}, s},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := newPool(t)
				tc.do(t, m)
				lasts := tc.lasts
				if lasts == 0 {
					lasts = 24 * time.Hour
				}
				<-time.After(lasts - 1)
				if got(t, m, "k") == "none" {
					t.Fatal("gone before its time")
				}
				<-time.After(1)
				if gone := got(t, m, "k") == "none"; gone != (tc.lasts != 0) {
					t.Errorf("gone %v after %v", gone, lasts)
				}
			})
		})
	}
}

// Each method takes a record past its time for none, also before the sweep.
func TestExpiredIsNone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newPool(t)
		ctx := t.Context()
		expired := func() {
			must(t, m.Put(ctx, "k", []byte("41"), time.Millisecond))
			<-time.After(time.Millisecond)
		}
		expired()
		if only[bool](t)(m.Touch(ctx, "k", time.Hour)) {
			t.Error("Touch found it")
		}
		expired()
		if only[bool](t)(m.Delete(ctx, "k")) {
			t.Error("Delete found it")
		}
		expired()
		if n := only[int64](t)(m.Incr(ctx, "k", time.Hour)); n != 1 {
			t.Errorf("Incr went on at %d", n)
		}
		expired()
		if !only[bool](t)(m.PutIfAbsent(ctx, "k", []byte("new"), -1)) {
			t.Error("PutIfAbsent found it")
		}
		if v := got(t, m, "k"); v != "none" {
			t.Errorf("a ttl below 0: got %s", v)
		}
	})
}

func TestIncr(t *testing.T) {
	m := newPool(t)
	ctx := t.Context()
	for want := int64(1); want <= 12; want++ {
		if n := only[int64](t)(m.Incr(ctx, "k", 0)); n != want || got(t, m, "k") != strconv.FormatInt(want, 10) {
			t.Errorf("got %d (text %s), want %d", n, got(t, m, "k"), want)
		}
	}
	must(t, m.Put(ctx, "k", []byte("-3"), 0))
	if n := only[int64](t)(m.Incr(ctx, "k", 0)); n != -2 {
		t.Errorf("from the text -3: %d", n)
	}
	for _, bad := range []string{"", "text", "1.5", strconv.FormatInt(math.MaxInt64, 10)} {
		must(t, m.Put(ctx, "k", []byte(bad), 0))
		if n, err := m.Incr(ctx, "k", 0); err == nil || n != 0 || got(t, m, "k") != bad {
			t.Errorf("%q: %d, %v, now %q", bad, n, err, got(t, m, "k"))
		}
	}
}

func TestOneOfManyWins(t *testing.T) {
	m := newPool(t)
	var stored, deleted atomic.Int64
	var wg sync.WaitGroup
	count := func(n *atomic.Int64, yes bool, err error) {
		if err != nil {
			t.Error(err)
		}
		if yes {
			n.Add(1)
		}
	}
	for range 8 {
		wg.Go(func() {
			for i := range 200 {
				yes, err := m.PutIfAbsent(t.Context(), strconv.Itoa(i), nil, time.Hour)
				count(&stored, yes, err)
				_, err = m.Incr(t.Context(), "n", time.Hour)
				count(nil, false, err)
			}
		})
	}
	wg.Wait()
	for range 8 {
		wg.Go(func() {
			for i := range 200 {
				yes, err := m.Delete(t.Context(), strconv.Itoa(i))
				count(&deleted, yes, err)
			}
		})
	}
	wg.Wait()
	if stored.Load() != 200 || deleted.Load() != 200 || got(t, m, "n") != "1600" {
		t.Errorf("stored %d, deleted %d, want 200; counted %s, want 1600", stored.Load(), deleted.Load(), got(t, m, "n"))
	}
}

func TestFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newPool(t, cache.MaxRecords(3))
		ctx := t.Context()
		must(t, m.Put(ctx, "a", nil, 0))
		must(t, m.Put(ctx, "b", nil, time.Hour))
		must(t, m.Put(ctx, "c", nil, time.Millisecond))
		_, putIfAbsent := m.PutIfAbsent(ctx, "d", nil, 0)
		_, incr := m.Incr(ctx, "d", 0)
		for name, err := range map[string]error{"Put": m.Put(ctx, "d", nil, 0), "PutIfAbsent": putIfAbsent, "Incr": incr} {
			if !errors.Is(err, cache.ErrFull) {
				t.Errorf("%s: %v, want ErrFull", name, err)
			}
		}
		must(t, m.Put(ctx, "a", []byte("new"), 0)) // not one more
		if got(t, m, "a") != "new" || got(t, m, "b") != "" {
			t.Error("a full table lost a record")
		}
		<-time.After(time.Millisecond)
		must(t, m.Put(ctx, "d", nil, 0)) // in the place of c, before any sweep by time
		only[bool](t)(m.Delete(ctx, "a"))
		must(t, m.Put(ctx, "e", nil, 0))
		if n, _ := m.Kept(); n != 3 {
			t.Errorf("%d records, want 3", n)
		}
	})
}

func TestAbandonedRecordsLeaveNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newPool(t)
		for i := range 10_000 {
			must(t, m.Put(t.Context(), strconv.Itoa(i), nil, time.Duration(i+1)*time.Millisecond))
		}
		for i := range 1000 { // used once more: these last until 20 s
			only[bool](t)(m.Touch(t.Context(), strconv.Itoa(9000+i), 20*time.Second))
		}
		<-time.After(11 * time.Second)
		if n, _ := m.Kept(); n != 1000 {
			t.Errorf("%d records after 11 s, want 1000", n)
		}
		<-time.After(10 * time.Second)
		synctest.Wait()
		if n, timed := m.Kept(); n != 0 || timed != 0 || m.Sweeping() {
			t.Errorf("after the last ttl: %d records, room for %d, timer set %v", n, timed, m.Sweeping())
		}
		must(t, m.Put(t.Context(), "k", nil, time.Minute)) // sets the timer again
		<-time.After(time.Minute + time.Second)
		synctest.Wait()
		if n, _ := m.Kept(); n != 0 {
			t.Error("a later record stays")
		}
	})
}

func TestSweepFollowsTouch(t *testing.T) {
	for _, tc := range []struct {
		rule       string
		put, touch time.Duration
		kept       int
	}{
		{"shortened", time.Hour, time.Second, 0},
		{"for ever: kept, and nothing to wait for", time.Second, 0, 1},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := newPool(t)
				must(t, m.Put(t.Context(), "k", nil, tc.put))
				only[bool](t)(m.Touch(t.Context(), "k", tc.touch))
				<-time.After(3 * time.Second)
				if n, _ := m.Kept(); n != tc.kept || m.Sweeping() {
					t.Errorf("%d records, timer set %v", n, m.Sweeping())
				}
			})
		})
	}
}
