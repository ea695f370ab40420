package async_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/facet-rpc/facet/transport/async"
)

func task(kind async.Kind, id string) async.Task {
	return async.Task{Kind: kind, ID: id, Payload: []byte(id), Attempts: 3}
}

// R-C10: what a Memory does with the errors of a handler.
func TestMemoryTries(t *testing.T) {
	broken := errors.New("broken")
	for _, tt := range []struct {
		name     string
		handle   func(try int) error
		attempts []int // as the handler saw them
		dead     bool
		least    time.Duration
	}{
		{"done", func(int) error { return nil }, []int{1}, false, 0},
		{"done at last", func(try int) error {
			if try < 3 {
				return broken
			}
			return nil
		}, []int{1, 2, 3}, false, 25 * time.Second},
		{"never done", func(int) error { return broken }, []int{1, 2, 3}, true, 25 * time.Second},
		{"final", func(int) error { return &async.Final{Err: broken} }, []int{1}, true, 0},
		{"again, without an attempt", func(try int) error {
			if try < 5 {
				return &async.Again{After: time.Minute, Free: true, Err: broken}
			}
			return nil
		}, []int{1, 1, 1, 1, 1}, false, 4 * time.Minute},
		{"again, as attempts", func(int) error { return &async.Again{After: time.Hour, Err: broken} }, []int{1, 2, 3}, true, 2 * time.Hour},
		{"panic", func(int) error { panic("no") }, []int{1, 2, 3}, true, 25 * time.Second},
		{"the end of the goroutine", func(int) error { runtime.Goexit(); return nil }, []int{1, 2, 3}, true, 25 * time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := async.NewMemory(async.MemoryOptions{})
				var attempts []int
				began, last := time.Now(), time.Now()
				err := m.Start(func(_ context.Context, _ async.Task, attempt int) error {
					attempts, last = append(attempts, attempt), time.Now()
					return tt.handle(len(attempts))
				})
				if err := errors.Join(err, m.Add(t.Context(), task(async.Run, "a"))); err != nil {
					t.Fatal(err)
				}
				time.Sleep(24 * time.Hour)
				if err := m.Stop(t.Context()); err != nil {
					t.Error(err)
				}
				took := last.Sub(began)
				if !slices.Equal(attempts, tt.attempts) || took < tt.least || took > tt.least+tt.least/4+time.Second {
					t.Errorf("attempts %v in %v, want %v in %v", attempts, took, tt.attempts, tt.least)
				}
				dead, err := m.Dead(t.Context(), 10)
				if err != nil || (len(dead) == 1) != tt.dead || tt.dead && (dead[0].Task.ID != "a" || dead[0].Attempts != len(tt.attempts) || dead[0].Problem == "") {
					t.Errorf("dead %+v, %v", dead, err)
				}
			})
		})
	}
}

// A kind has workers of its own, and no more than it was given.
func TestMemoryWorkers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := async.NewMemory(async.MemoryOptions{Workers: 3})
		var runs, deliveries, most atomic.Int64
		if err := m.Start(func(_ context.Context, task async.Task, _ int) error {
			if task.Kind == async.Deliver {
				deliveries.Add(1)
				return nil
			}
			if n := runs.Add(1); n > most.Load() {
				most.Store(n)
			}
			time.Sleep(time.Minute)
			runs.Add(-1)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		for i := range 10 {
			if err := errors.Join(m.Add(t.Context(), task(async.Run, strconv.Itoa(i))), m.Add(t.Context(), task(async.Deliver, strconv.Itoa(i)))); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		if runs.Load() != 3 || deliveries.Load() != 10 {
			t.Errorf("%d run, %d delivered", runs.Load(), deliveries.Load())
		}
		began := time.Now()
		if err := m.Stop(t.Context()); err != nil || time.Since(began) != 4*time.Minute || most.Load() != 3 {
			t.Errorf("Stop: %v after %v; %d at a time", err, time.Since(began), most.Load())
		}
		if err := m.Add(t.Context(), task(async.Run, "late")); !errors.Is(err, async.ErrStopped) {
			t.Errorf("Add after Stop: %v", err)
		}
	})
}

// A Memory takes no more jobs than its bounds, but every answer; one task once.
func TestMemoryBounds(t *testing.T) {
	m := async.NewMemory(async.MemoryOptions{Tasks: 3, Bytes: 100})
	add := func(kind async.Kind, id string, size int) error {
		return m.Add(t.Context(), async.Task{Kind: kind, ID: id, Payload: make([]byte, size), Attempts: 1})
	}
	for i, tt := range []struct {
		kind async.Kind
		id   string
		size int
		want error
	}{
		{async.Run, "a", 60, nil},
		{async.Run, "a", 60, nil}, // the same
		{async.Run, "b", 41, async.ErrFull},
		{async.Run, "b", 40, nil},
		{async.Deliver, "a", 500, nil},
		{async.Run, "c", 0, async.ErrFull},
		{async.Deliver, "b", 500, nil},
	} {
		if err := add(tt.kind, tt.id, tt.size); !errors.Is(err, tt.want) || tt.want == nil && err != nil {
			t.Errorf("%d: %v, want %v", i, err, tt.want)
		}
	}
	for _, tt := range []struct {
		kind    async.Kind
		id      string
		removed bool
	}{{async.Deliver, "a", true}, {async.Deliver, "a", false}, {async.Deliver, "b", true}, {async.Run, "none", false}} {
		if removed, err := m.Cancel(t.Context(), tt.kind, tt.id); removed != tt.removed || err != nil {
			t.Errorf("Cancel %s %s: %t, %v", tt.kind, tt.id, removed, err)
		}
	}
	if err := add(async.Run, "d", 0); err != nil {
		t.Errorf("there is room again: %v", err)
	}
	handler := func(context.Context, async.Task, int) error { return nil }
	if err := errors.Join(m.Start(handler), m.Stop(t.Context())); err != nil {
		t.Error(err)
	}
	if m.Start(handler) == nil {
		t.Error("it was started twice")
	}
}

// A try ends at its limit.
func TestMemoryLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := async.NewMemory(async.MemoryOptions{})
		var took time.Duration
		began := time.Now()
		if err := m.Start(func(ctx context.Context, _ async.Task, _ int) error {
			<-ctx.Done()
			took = time.Since(began)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		limited := task(async.Run, "a")
		limited.Limit = time.Minute
		if err := errors.Join(m.Add(t.Context(), limited), m.Stop(t.Context())); err != nil || took != time.Minute {
			t.Errorf("%v after %v", err, took)
		}
	})
}

// Delays grow, have an end, and are not the same twice.
func TestDelay(t *testing.T) {
	for attempt, want := range []time.Duration{5 * time.Second, 5 * time.Second, 20 * time.Second, 80 * time.Second, 320 * time.Second, 1280 * time.Second, 5120 * time.Second, 20480 * time.Second, 6 * time.Hour, 6 * time.Hour} {
		seen := map[time.Duration]bool{}
		for range 20 {
			d := async.Delay(attempt, errors.New("broken"))
			seen[d] = true
			if d < want || d > want+want/4 {
				t.Errorf("after attempt %d: %v, want about %v", attempt, d, want)
			}
		}
		if len(seen) < 10 {
			t.Errorf("after attempt %d: only %d delays", attempt, len(seen))
		}
	}
	if d := async.Delay(1<<40, nil); d < 6*time.Hour || d > 8*time.Hour {
		t.Errorf("after many: %v", d)
	}
}

// A stop gives what fails one more try, and that one knows it is the last.
func TestMemoryLastTry(t *testing.T) {
	for _, waits := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			m := async.NewMemory(async.MemoryOptions{})
			var attempts []int
			if err := m.Start(func(_ context.Context, _ async.Task, attempt int) error {
				attempts = append(attempts, attempt)
				time.Sleep(time.Second)
				return errors.New("broken")
			}); err != nil {
				t.Fatal(err)
			}
			patient := task(async.Deliver, "a")
			patient.Attempts = 10
			if err := m.Add(t.Context(), patient); err != nil {
				t.Fatal(err)
			}
			if waits {
				time.Sleep(2 * time.Second) // for its second try
			}
			began := time.Now()
			if err := m.Stop(t.Context()); err != nil || time.Since(began) > 2*time.Second || !slices.Equal(attempts, []int{1, 10}) {
				t.Errorf("Stop: %v after %v, attempts %v", err, time.Since(began), attempts)
			}
			if dead, _ := m.Dead(t.Context(), 1); len(dead) != 1 {
				t.Errorf("dead: %v", dead)
			}
		})
	}
}
