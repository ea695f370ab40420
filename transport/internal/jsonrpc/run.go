package jsonrpc

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"
)

// patience is how long the members of a batch run one after the other on the caller's goroutine
// before others help. Most batches are over by then, and nobody has to guess what a method costs.
const patience = time.Millisecond

// Run calls work once for each of the n members of a batch, 0 to n-1, and returns when every
// call has returned. At most bound of them run at once, 1 when bound is less.
//
// The members begin in order on the caller's goroutine, as worker 0. If they take longer than a
// millisecond, up to bound-1 further workers, 1 and up, take members that have not begun. work
// gets the worker's number so that each can have its own buffer; it keeps what a member answers
// by the member's index.
//
// parents, unless nil, lists for each member the members that must have returned, failed or not,
// before it begins. There should be no cycle: the members in one, and those that wait for them,
// are never begun. Nor is any member once ctx has ended; those that run are waited for.
//
// work should not panic. If it does, no further member begins, and Run panics when the running
// ones have returned.
func Run(ctx context.Context, n, bound int, parents [][]int, work func(worker, i int)) {
	b := &batch{ctx: ctx, n: n, work: work}
	b.returned.L = &b.mu
	if parents != nil {
		b.plan(parents)
	}
	timer := b.helpAfter(patience, min(bound, n)-1)
	defer func() {
		if timer != nil && timer.Stop() {
			b.helpers.Done() // of the call that the timer will not make
		}
		b.helpers.Wait()
		if b.panicked != nil {
			panic(b.panicked)
		}
	}()
	b.run(0)
}

// batch is a Run in progress.
type batch struct {
	ctx     context.Context
	n       int
	work    func(worker, i int)
	helpers sync.WaitGroup

	mu       sync.Mutex
	begun    int
	stop     bool  // a call did not return
	panicked error // in a helper

	// Only with parents; without, members begin by number.
	returned sync.Cond // a call has returned
	running  int
	waiting  []int   // by member: how many of its parents have not returned
	children [][]int // by member
	ready    []int   // the members that wait for none, sorted
}

// plan turns parents into what take and finish need.
func (b *batch) plan(parents [][]int) {
	b.waiting = make([]int, b.n)
	b.children = make([][]int, b.n)
	for i := range b.n {
		for _, p := range parents[i] {
			b.children[p] = append(b.children[p], i)
		}
		if b.waiting[i] = len(parents[i]); b.waiting[i] == 0 {
			b.ready = append(b.ready, i)
		}
	}
}

// helpAfter starts up to most helpers after d, unless the timer is stopped before. helpers then
// counts one for the timer itself, so that Wait cannot miss those it is about to start.
func (b *batch) helpAfter(d time.Duration, most int) *time.Timer {
	if most <= 0 {
		return nil
	}
	b.helpers.Add(1)
	return time.AfterFunc(d, func() {
		defer b.helpers.Done()
		b.mu.Lock()
		most = min(most, b.n-b.begun)
		b.mu.Unlock()
		for worker := 1; worker <= most; worker++ {
			b.helpers.Go(func() { b.help(worker) })
		}
	})
}

// help is run for a goroutine of our own, where a panic would end the process.
func (b *batch) help(worker int) {
	defer func() {
		if v := recover(); v != nil {
			b.mu.Lock()
			b.panicked = fmt.Errorf("jsonrpc: a batch member panicked: %v\n%s", v, debug.Stack())
			b.mu.Unlock()
		}
	}()
	b.run(worker)
}

// run calls work until no member is left to begin.
func (b *batch) run(worker int) {
	for {
		i, ok := b.take()
		if !ok {
			return
		}
		b.call(worker, i)
	}
}

func (b *batch) call(worker, i int) {
	returned := false
	defer func() { b.finish(i, returned) }() // also after a panic, or others would wait for ever
	b.work(worker, i)
	returned = true
}

// take chooses the next member to begin. It waits while one may become ready.
func (b *batch) take() (i int, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.begun < b.n && !b.stop && b.ctx.Err() == nil {
		switch {
		case b.waiting == nil:
			i = b.begun
			b.begun++
			return i, true
		case len(b.ready) > 0:
			i = b.ready[0]
			b.ready = b.ready[1:]
			b.begun++
			b.running++
			return i, true
		case b.running == 0:
			return 0, false // what is left waits for itself
		}
		b.returned.Wait()
	}
	return 0, false
}

// finish notes the end of a call, by a panic or Goexit if it has not returned.
func (b *batch) finish(i int, returned bool) {
	if returned && b.waiting == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.stop = b.stop || !returned
	if b.waiting == nil {
		return
	}
	b.running--
	for _, child := range b.children[i] {
		if b.waiting[child]--; b.waiting[child] == 0 {
			at, _ := slices.BinarySearch(b.ready, child)
			b.ready = slices.Insert(b.ready, at, child)
		}
	}
	b.returned.Broadcast()
}
