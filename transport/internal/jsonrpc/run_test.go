package jsonrpc_test

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/facet-rpc/facet/transport/internal/jsonrpc"
)

// journal is what happened in a Run.
type journal struct {
	mu      sync.Mutex
	began   []int
	workers map[int]bool
	running int
	most    int
	ended   map[int]time.Duration
	start   time.Time
}

func newJournal() *journal {
	return &journal{workers: map[int]bool{}, ended: map[int]time.Duration{}, start: time.Now()}
}

// member is work that lasts d.
func (j *journal) member(worker, i int, d time.Duration) {
	j.mu.Lock()
	j.began = append(j.began, i)
	j.workers[worker] = true
	j.running++
	j.most = max(j.most, j.running)
	j.mu.Unlock()
	time.Sleep(d) // the bubble's clock
	j.mu.Lock()
	j.running--
	j.ended[i] = time.Since(j.start)
	j.mu.Unlock()
}

// R-C07: cheap members run inline, slow ones together under a bound.
func TestRunWorkers(t *testing.T) {
	for _, c := range []struct {
		name           string
		n, bound       int
		each           time.Duration
		workers, most  int
		takes          time.Duration
		beginsInNumber bool
	}{
		{"none", 0, 8, 0, 0, 0, 0, true},
		{"cheap: the caller alone", 50, 8, 10 * time.Microsecond, 1, 1, 500 * time.Microsecond, true},
		{"one member: no helper", 1, 8, time.Second, 1, 1, time.Second, true},
		{"bound 1: one after the other", 4, 1, time.Second, 1, 1, 4 * time.Second, true},
		{"bound 0 is 1", 3, 0, time.Second, 1, 1, 3 * time.Second, true},
		{"slow: helpers after 1 ms", 8, 4, time.Second, 4, 4, 2*time.Second + time.Millisecond, false},
		{"fewer members than workers", 2, 8, time.Second, 2, 2, time.Second + time.Millisecond, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				j := newJournal()
				jsonrpc.Run(t.Context(), c.n, c.bound, nil, func(w, i int) { j.member(w, i, c.each) })
				if took := time.Since(j.start); took != c.takes {
					t.Errorf("took %v, want %v", took, c.takes)
				}
				if len(j.workers) != c.workers || j.most != c.most || j.running != 0 {
					t.Errorf("workers %v, at once %d, left %d", j.workers, j.most, j.running)
				}
				if c.beginsInNumber && !slices.IsSorted(j.began) {
					t.Errorf("began in the order %v", j.began)
				}
				for i := range c.n {
					if _, ok := j.ended[i]; !ok || len(j.began) != c.n {
						t.Errorf("member %d: not run once: %v", i, j.began)
					}
				}
			})
		})
	}
}

// Helpers come while one member is slow, and take only what has not begun.
func TestRunHelpersPassASlowMember(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := newJournal()
		jsonrpc.Run(t.Context(), 4, 2, nil, func(w, i int) {
			if i == 1 {
				j.member(w, i, time.Second)
				return
			}
			j.member(w, i, 0)
		})
		want := map[int]time.Duration{0: 0, 1: time.Second, 2: time.Millisecond, 3: time.Millisecond}
		if fmt.Sprint(j.ended) != fmt.Sprint(want) {
			t.Errorf("ended %v, want %v", j.ended, want)
		}
	})
}

func TestRunParents(t *testing.T) {
	for _, c := range []struct {
		name    string
		bound   int
		parents [][]int
		began   []int // nil: any order that fits the parents
		takes   time.Duration
	}{
		{"a chain", 8, [][]int{nil, {0}, {1}}, []int{0, 1, 2}, 3 * time.Second},
		{"parents behind their children", 1, [][]int{{2}, {0}, nil}, []int{2, 0, 1}, 3 * time.Second},
		{"lowest number first", 1, [][]int{nil, {3}, nil, nil, nil}, []int{0, 2, 3, 1, 4}, 5 * time.Second},
		{"a diamond", 8, [][]int{nil, {0}, {0}, {1, 2}}, nil, 3 * time.Second},
		{"nobody waits for a stranger", 2, [][]int{nil, {0}, nil, nil}, nil, 2*time.Second + 2*time.Millisecond},
		{"a parent named twice", 2, [][]int{nil, {0, 0}}, []int{0, 1}, 2 * time.Second},
		{"a cycle is never begun", 8, [][]int{nil, {2}, {1}, {2}}, []int{0}, time.Second},
		{"its own parent", 8, [][]int{{0}, nil}, []int{1}, time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				j := newJournal()
				jsonrpc.Run(t.Context(), len(c.parents), c.bound, c.parents, func(w, i int) {
					j.mu.Lock()
					for _, p := range c.parents[i] {
						if _, ok := j.ended[p]; !ok {
							t.Errorf("member %d began before %d had returned", i, p)
						}
					}
					j.mu.Unlock()
					j.member(w, i, time.Second)
				})
				if took := time.Since(j.start).Round(time.Second); took != c.takes.Round(time.Second) {
					t.Errorf("took %v, want %v", took, c.takes)
				}
				if c.began != nil && !slices.Equal(j.began, c.began) {
					t.Errorf("began %v, want %v", j.began, c.began)
				}
			})
		})
	}
}

// Once nobody waits for the answer, nothing more begins, and what runs is waited for.
func TestRunContext(t *testing.T) {
	for name, parents := range map[string][][]int{"plain": nil, "with parents": {nil, nil, {0}, {0}, {1}, {1}}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				j := newJournal()
				jsonrpc.Run(ctx, 6, 2, parents, func(w, i int) { j.member(w, i, 2*time.Second) })
				if len(j.began) != 2 || len(j.ended) != 2 {
					t.Errorf("began %v, ended %v", j.began, j.ended)
				}
			})
		})
	}
}

// R-C14: whatever a member does, Run ends and so do its workers.
func TestRunPanic(t *testing.T) {
	for _, c := range []struct {
		name    string
		bad     int // 0 runs on the caller's goroutine, 1 on a helper's
		parents [][]int
	}{
		{"caller", 0, nil},
		{"helper", 1, nil},
		{"caller, with parents", 0, [][]int{nil, nil, {0}, {1}}},
		{"helper, with parents", 1, [][]int{nil, nil, {0}, {1}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				j := newJournal()
				defer func() {
					if v := recover(); v == nil || !strings.Contains(fmt.Sprint(v), "boom") {
						t.Errorf("recovered %v", v)
					}
					if len(j.began) != 2 || j.ended[1-c.bad] == 0 {
						t.Errorf("began %v, ended %v: want two begun and the other waited for", j.began, j.ended)
					}
				}()
				jsonrpc.Run(t.Context(), 4, 2, c.parents, func(w, i int) {
					if i == c.bad {
						j.member(w, i, time.Second)
						panic("boom")
					}
					j.member(w, i, time.Minute)
				})
			})
		})
	}
}

func TestRunGoexitInHelper(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var began atomic.Int32
		jsonrpc.Run(t.Context(), 3, 2, [][]int{nil, nil, {1}}, func(_, i int) {
			began.Add(1)
			if i == 1 {
				runtime.Goexit()
			}
			time.Sleep(time.Second)
		})
		if began.Load() != 2 {
			t.Errorf("%d members began, want 2", began.Load())
		}
	})
}
