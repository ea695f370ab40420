package rpc_test

import (
	"context"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/facet-rpc/facet/rpc"
)

// register is what one key must look like to its callers: a variable that is
// written and read.
var register = porcupine.Model{
	Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
		byKey := map[string][]porcupine.Operation{}
		for _, op := range history {
			k := op.Input.(access).key
			byKey[k] = append(byKey[k], op)
		}
		var parts [][]porcupine.Operation
		for _, part := range byKey {
			parts = append(parts, part)
		}
		return parts
	},
	Init: func() any { return int64(0) },
	Step: func(state, input, output any) (bool, any) {
		if in := input.(access); in.write {
			return true, in.value
		}
		return output == state, state
	},
}

type access struct {
	key   string
	write bool
	value int64
}

// shop is slow data behind a cache.
type shop struct{ data [4]atomic.Int64 }

type write struct {
	Key   int   `json:"key"`
	Value int64 `json:"value"`
}

func linger() {
	for range rand.IntN(50) {
		runtime.Gosched()
	}
}

func (s *shop) get(p struct {
	Key int `json:"key"`
}) int64 {
	linger()
	v := s.data[p.Key].Load()
	linger()
	return v
}

func (s *shop) put(w write) {
	linger()
	s.data[w.Key].Store(w.Value)
	linger()
}

// R-K03 R-K04: under random load, with callers who leave, results that expire
// and calls that ignore the cache, nobody reads what was written over before.
func TestLinearizable(t *testing.T) {
	m := pool(t)
	linearizable(t, rpc.Options{Store: m, Records: m})
}

func linearizable(t *testing.T, o rpc.Options) {
	length := 3 * time.Second
	switch {
	case os.Getenv("FACET_LONG") != "":
		length = time.Minute
	case testing.Short():
		length = time.Second / 2
	}
	s := new(shop)
	kept := rpc.Cache{TTL: 3 * time.Millisecond, StaleFor: 3 * time.Millisecond}
	p := start(t, o,
		rpc.Method{Name: "get", Func: s.get, Cache: kept},
		rpc.Method{Name: "put", Func: s.put, Invalidates: []string{"S.get"}},
		rpc.Method{Name: "putOne", Func: s.put, InvalidatesExact: []rpc.Invalidation{{Method: "S.get", Params: map[string]string{"key": "key"}}}},
		rpc.Method{Name: "putWarm", Func: s.put, InvalidatesExact: []rpc.Invalidation{{Method: "S.get", Params: map[string]string{"key": "key"}, Warm: true}}})
	var clock, value, reads atomic.Int64
	var mu sync.Mutex
	var history []porcupine.Operation
	check := func() {
		t.Helper()
		if got := porcupine.CheckOperationsTimeout(register, history, time.Minute); got != porcupine.Ok {
			t.Fatalf("%d operations: %s", len(history), got)
		}
	}
	client := func(id, operations int) {
		for range operations {
			k := strconv.Itoa(rand.IntN(len(s.data)))
			op := porcupine.Operation{ClientId: id, Input: access{key: k}, Call: clock.Add(1)}
			ctx, cancel := context.WithCancel(t.Context())
			var got string
			switch n := rand.IntN(100); {
			case n < 20:
				w := access{k, true, value.Add(1)}
				op.Input = w
				got = p.do(ctx, p.call([]string{"put", "putOne", "putWarm"}[n%3], `{"key":`+k+`,"value":`+strconv.FormatInt(w.value, 10)+`}`))
				if got != "null" {
					t.Errorf("put: %s", got)
				}
			case n < 30:
				got = p.do(ctx, p.call("get", `{"key":`+k+`,"$rpc":{"ignoreCache":true}}`))
			case n < 45:
				go func() { linger(); cancel() }()
				got = p.do(ctx, p.call("get", `{"key":`+k+`}`))
			default:
				got = p.do(ctx, p.call("get", `{"key":`+k+`}`))
			}
			cancel()
			op.Return = clock.Add(1)
			if !op.Input.(access).write {
				v, err := strconv.ParseInt(got, 10, 64)
				if err != nil {
					continue // the caller left and saw nothing
				}
				op.Output = v
				reads.Add(1)
			}
			mu.Lock()
			history = append(history, op)
			mu.Unlock()
		}
	}
	rounds := 0
	for end := time.Now().Add(length); time.Now().Before(end); rounds++ {
		// Rounds are checked one by one: each begins where the last one ended.
		history = history[:0]
		for k := range s.data {
			history = append(history, porcupine.Operation{Input: access{strconv.Itoa(k), true, s.data[k].Load()}, Call: clock.Add(1), Return: clock.Add(1)})
		}
		var wg sync.WaitGroup
		for id := range 8 {
			wg.Go(func() { client(id, 100) })
		}
		wg.Wait()
		check()
	}
	stats := p.exec.Stats()
	t.Logf("%d rounds, %d reads, %+v", rounds, reads.Load(), stats)
	if stats.Hits == 0 || stats.Stale == 0 || stats.Coalesced == 0 || stats.Invalidations == 0 {
		t.Error("the load left something out")
	}
	if err := p.exec.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
}
