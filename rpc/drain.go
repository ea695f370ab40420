package rpc

import (
	"context"
	"sync"
	"sync/atomic"
)

// drain counts what runs and waits for it to end.
type drain struct {
	count    atomic.Int64
	stopping atomic.Bool
	mu       sync.Mutex
	idle     chan struct{} // closed when nothing runs any more; made by wait
}

// enter counts one more; false: the drain is stopping.
func (d *drain) enter() bool {
	d.count.Add(1)
	if d.stopping.Load() {
		d.leave()
		return false
	}
	return true
}

// more counts one more for who is counted already.
func (d *drain) more() { d.count.Add(1) }

func (d *drain) leave() {
	if d.count.Add(-1) == 0 && d.stopping.Load() {
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.idle != nil && d.count.Load() == 0 {
			close(d.idle)
			d.idle = nil
		}
	}
}

// wait refuses new ones and waits for those that run.
func (d *drain) wait(ctx context.Context) error {
	d.stopping.Store(true)
	d.mu.Lock()
	if d.count.Load() == 0 {
		d.mu.Unlock()
		return nil
	}
	if d.idle == nil {
		d.idle = make(chan struct{})
	}
	idle := d.idle
	d.mu.Unlock()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// maxAfter bounds the listeners of rpc.post_response that wait for their
// turn. Beyond it they run at once, on the goroutine that sent the answer.
const maxAfter = 1024

// afterwards runs what comes after an answer was sent, one after another, on
// a goroutine that lives while there is something to run.
type afterwards struct {
	mu      sync.Mutex
	queue   []func()
	running bool
	idle    chan struct{}
}

func (a *afterwards) add(f func()) {
	a.mu.Lock()
	if len(a.queue) >= maxAfter {
		a.mu.Unlock()
		f()
		return
	}
	a.queue = append(a.queue, f)
	if !a.running {
		a.running = true
		go a.run()
	}
	a.mu.Unlock()
}

// run ends when there is nothing left. A listener that ends its goroutine
// (runtime.Goexit, as t.FailNow of a test does) leaves the rest to another.
func (a *afterwards) run() {
	finished := false
	defer func() {
		if !finished {
			go a.run()
		}
	}()
	for {
		a.mu.Lock()
		if len(a.queue) == 0 {
			a.running = false
			a.queue = nil
			finished = true
			if a.idle != nil {
				close(a.idle)
				a.idle = nil
			}
			a.mu.Unlock()
			return
		}
		f := a.queue[0]
		a.queue[0] = nil // it holds a call and its result
		a.queue = a.queue[1:]
		a.mu.Unlock()
		f()
	}
}

func (a *afterwards) wait(ctx context.Context) error {
	a.mu.Lock()
	if !a.running {
		a.mu.Unlock()
		return nil
	}
	if a.idle == nil {
		a.idle = make(chan struct{})
	}
	idle := a.idle
	a.mu.Unlock()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
