package cache_test

import (
	"fmt"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/facet-rpc/facet/cache"
)

func loaded(t testing.TB, m *cache.Memory, key string) string {
	t.Helper()
	v, ok, err := m.Load(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	if !ok {
		return "miss"
	}
	return string(v)
}

// case I04, dgraph-io/ristretto#30
func TestCollidingKeysAreAMiss(t *testing.T) {
	m, err := cache.NewColliding(1 << 20)
	must(t, err)
	defer m.Close()
	must(t, m.Save(t.Context(), "mine", []byte("my secret"), 0))
	if got := loaded(t, m, "mine"); got != "my secret" {
		t.Errorf("mine: %s", got)
	}
	if got := loaded(t, m, "theirs"); got != "miss" {
		t.Errorf("theirs: got %q, which is another key's", got)
	}
	must(t, m.Save(t.Context(), "theirs", []byte("other"), 0))
	if mine, theirs := loaded(t, m, "mine"), loaded(t, m, "theirs"); mine != "miss" || theirs != "other" {
		t.Errorf("mine %s, theirs %s; want a miss and the latest", mine, theirs)
	}
}

// case I05, eko/gocache#206: what has been saved last is what is loaded.
func TestBackToBack(t *testing.T) {
	m := newPool(t)
	for i := range 500 {
		key := strconv.Itoa(i)
		for _, want := range []string{"first", "second", "third"} {
			must(t, m.Save(t.Context(), key, []byte(want), time.Hour))
			for range 2 {
				if got := loaded(t, m, key); got != want {
					t.Fatalf("%s: got %s, want %s", key, got, want)
				}
			}
		}
		must(t, m.Drop(t.Context(), key))
		for range 20 {
			if got := loaded(t, m, key); got != "miss" {
				t.Fatalf("%s: got %s after Drop", key, got)
			}
		}
	}
}

// case I05, dgraph-io/ristretto#346, gofiber/storage#3126: a pool that is more
// than full has misses and nothing wrong.
func TestFillPastTheSize(t *testing.T) {
	m := newPool(t)
	value := func(i int) string { return fmt.Sprintf("%04d%4096s", i, "") }
	var wg sync.WaitGroup
	for part := range 4 {
		wg.Go(func() {
			for i := part; i < 1000; i += 4 { // 4 MB into 1 MB
				if err := m.Save(t.Context(), strconv.Itoa(i), []byte(value(i)), 0); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	hits := 0
	for i := range 1000 {
		switch got := loaded(t, m, strconv.Itoa(i)); got {
		case value(i):
			hits++
		case "miss":
		default:
			t.Errorf("%d: got %.4s", i, got)
		}
	}
	if hits < 100 || hits > 1<<20/4096 {
		t.Errorf("%d hits: not what fits into 1 MB", hits)
	}
	must(t, m.Save(t.Context(), "huge", make([]byte, 1<<20), 0))
	if got := loaded(t, m, "huge"); got != "miss" {
		t.Error("kept what is larger than the pool")
	}
}

func TestResultTTL(t *testing.T) {
	for _, tc := range []struct {
		rule  string
		ttl   time.Duration
		after time.Duration
		want  string
	}{
		{"within", time.Second, time.Second - 1, "v"},
		{"on the dot", time.Second, time.Second, "miss"},
		{"shorter than ristretto's bucket", time.Millisecond, time.Millisecond, "miss"},
		{"0 is for ever", 0, 24 * time.Hour, "v"},
		{"below 0 is over", -1, 0, "miss"},
		{"longer than a Duration from now", 1<<63 - 1, time.Hour, "v"},
	} {
		t.Run(tc.rule, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := newPool(t)
				must(t, m.Save(t.Context(), "k", []byte("older"), 0))
				must(t, m.Save(t.Context(), "k", []byte("v"), tc.ttl))
				<-time.After(tc.after)
				if got := loaded(t, m, "k"); got != tc.want {
					t.Errorf("got %s, want %s", got, tc.want)
				}
			})
		})
	}
}

func TestResultIsACopy(t *testing.T) {
	m := newPool(t)
	value := []byte("five!") // a clone by append would have room for 8
	must(t, m.Save(t.Context(), "k", value, 0))
	must(t, m.Put(t.Context(), "k", value, 0))
	value[0] = 'X'
	saved, _, _ := m.Load(t.Context(), "k")
	put, _, _ := m.Get(t.Context(), "k")
	for name, v := range map[string][]byte{"Load": saved, "Get": put} {
		if string(v) != "five!" || cap(v) != len(v) {
			t.Errorf("%s: %q with room for %d", name, v, cap(v))
		}
	}
}

func TestLoadDoesNotAllocate(t *testing.T) {
	m := newPool(t)
	ctx := t.Context()
	must(t, m.Save(ctx, "k", []byte("v"), time.Hour))
	if n := testing.AllocsPerRun(1000, func() { _, _, _ = m.Load(ctx, "k") }); n >= 1 {
		t.Errorf("%v allocations", n)
	}
}
