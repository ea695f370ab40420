package async

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// MemoryOptions bounds a [Memory].
type MemoryOptions struct {
	// Tasks is how many jobs there may be that wait, run or are delivered; 0:
	// 1000.
	Tasks int
	// Bytes is how large they may be together; 0: 64 MiB.
	Bytes int
	// Workers is how many methods run at a time, and how many deliveries; 0: 8.
	Workers int
}

// Memory is a [Queue] in this process: what is in it when the process dies is
// lost. Stop tries everything in it once more.
type Memory struct {
	options MemoryOptions
	handler Handler

	mu       sync.Mutex
	items    map[itemKey]*item
	bytes    int
	waiting  map[Kind][]*item // for a worker
	running  map[Kind]int
	dead     []Dead
	draining bool
	stopped  bool
	idle     chan struct{} // closed when there is no item, while draining
}

type itemKey struct {
	kind Kind
	id   string
}

// item is a task in the queue: it waits for a worker, for its timer, or runs.
type item struct {
	task    Task
	attempt int
	last    bool               // there will be no other try
	timer   *time.Timer        // of the next try; nil: none is set
	cancel  context.CancelFunc // of a running one; nil: it does not run
}

// maxDead is how many dead tasks a Memory remembers.
const maxDead = 100

// NewMemory makes a Memory.
func NewMemory(o MemoryOptions) *Memory {
	o.Tasks, o.Bytes, o.Workers = cmp.Or(o.Tasks, 1000), cmp.Or(o.Bytes, 64<<20), cmp.Or(o.Workers, 8)
	return &Memory{options: o, items: map[itemKey]*item{}, waiting: map[Kind][]*item{}, running: map[Kind]int{}}
}

// Add implements [Queue].
func (m *Memory) Add(_ context.Context, t Task) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	key := itemKey{t.Kind, t.ID}
	switch {
	case m.stopped, m.draining && t.Kind == Run:
		return ErrStopped
	case m.items[key] != nil:
		return nil
	case t.Kind == Run && (len(m.items) >= m.options.Tasks || m.bytes+len(t.Payload) > m.options.Bytes):
		return ErrFull
	}
	t.Payload = slices.Clone(t.Payload)
	i := &item{task: t, attempt: 1}
	m.items[key] = i
	m.bytes += len(t.Payload)
	m.ready(i)
	return nil
}

// Start implements [Queue].
func (m *Memory) Start(h Handler) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.handler != nil {
		return errors.New("async: the queue is started already; make one for each Jobs")
	}
	m.handler = h
	m.pump(Run)
	m.pump(Deliver)
	return nil
}

// ready lets an item wait for a worker; m.mu is held.
func (m *Memory) ready(i *item) {
	i.timer = nil
	m.waiting[i.task.Kind] = append(m.waiting[i.task.Kind], i)
	m.pump(i.task.Kind)
}

// pump gives workers what waits; m.mu is held. A worker is a goroutine that
// handles one task.
func (m *Memory) pump(k Kind) {
	for m.handler != nil && m.running[k] < m.options.Workers && len(m.waiting[k]) > 0 {
		i := m.waiting[k][0]
		m.waiting[k] = slices.Delete(m.waiting[k], 0, 1)
		m.running[k]++
		go m.work(i.begin(), i, i.turn())
	}
}

// begin makes the context of a try.
func (i *item) begin() (ctx context.Context) {
	if i.task.Limit > 0 {
		ctx, i.cancel = context.WithTimeout(context.Background(), i.task.Limit)
	} else {
		ctx, i.cancel = context.WithCancel(context.Background())
	}
	return ctx
}

// turn is the attempt as the handler sees it: the last one says so.
func (i *item) turn() int {
	if i.last {
		return i.task.Attempts
	}
	return i.attempt
}

// work handles one try of a task. A handler that panics or ends its goroutine
// has failed.
func (m *Memory) work(ctx context.Context, i *item, attempt int) {
	err := errors.New("async: the handler did not return")
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("async: the handler panicked: %v", v)
		}
		m.done(i, err)
	}()
	err = m.handler(ctx, i.task, attempt)
}

// done takes back an item that a worker has handled.
func (m *Memory) done(i *item, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	i.cancel()
	i.cancel = nil
	k := i.task.Kind
	m.running[k]--
	m.settle(i, err)
	m.pump(k)
	if len(m.items) == 0 && m.idle != nil {
		m.stopped = true
		close(m.idle)
		m.idle = nil
	}
}

// settle decides what becomes of an item; m.mu is held.
func (m *Memory) settle(i *item, err error) {
	var again *Again
	var final *Final
	free := errors.As(err, &again) && again.Free
	switch {
	case err == nil || m.stopped:
		m.remove(i)
	case errors.As(err, &final), !free && i.turn() >= i.task.Attempts:
		m.dead = append(m.dead, Dead{Task: i.task, Attempts: i.attempt, Problem: err.Error(), At: time.Now()})
		if len(m.dead) > maxDead {
			m.dead = slices.Delete(m.dead, 0, 1)
		}
		m.remove(i)
	default:
		delay := Delay(i.attempt, err)
		if !free {
			i.attempt++
		}
		if m.draining && !free {
			i.last = true
			m.ready(i)
			return
		}
		m.later(i, delay)
	}
}

// later lets an item wait for its next try; m.mu is held.
func (m *Memory) later(i *item, delay time.Duration) {
	var timer *time.Timer
	timer = time.AfterFunc(delay, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if i.timer == timer { // nobody took it since
			m.ready(i)
		}
	})
	i.timer = timer
}

// remove forgets an item; m.mu is held.
func (m *Memory) remove(i *item) {
	delete(m.items, itemKey{i.task.Kind, i.task.ID})
	m.bytes -= len(i.task.Payload)
}

// Cancel implements [Queue].
func (m *Memory) Cancel(_ context.Context, kind Kind, id string) (removed bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	i := m.items[itemKey{kind, id}]
	switch {
	case i == nil:
		return false, nil
	case i.cancel != nil:
		i.cancel()
		return false, nil
	}
	if i.timer != nil {
		i.timer.Stop()
		i.timer = nil
	}
	m.waiting[kind] = slices.DeleteFunc(m.waiting[kind], func(w *item) bool { return w == i })
	m.remove(i)
	return true, nil
}

// Dead implements [Queue]. The last hundred are remembered.
func (m *Memory) Dead(_ context.Context, limit int) ([]Dead, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := slices.Clone(m.dead)
	slices.Reverse(out)
	return out[:min(max(limit, 0), len(out))], nil
}

// Stop implements [Queue]: what waits runs, answers are posted, and what waits
// for another try has its last one now.
func (m *Memory) Stop(ctx context.Context) error {
	idle := m.drain()
	if idle == nil {
		return nil
	}
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.stopped = true
	lost := len(m.items)
	clear(m.waiting)
	for _, i := range m.items {
		if i.cancel != nil {
			i.cancel()
			continue
		}
		if i.timer != nil {
			i.timer.Stop()
			i.timer = nil
		}
		m.remove(i)
	}
	return fmt.Errorf("async: %d jobs in memory were not finished and are lost: %w", lost, ctx.Err())
}

// drain takes no more jobs and gives those that wait their last try. It
// returns what is closed when all are done, nil if they are.
func (m *Memory) drain() chan struct{} {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.draining = true
	for _, i := range m.items {
		if i.timer != nil {
			i.timer.Stop()
			i.last = true
			m.ready(i)
		}
	}
	if len(m.items) == 0 || m.handler == nil {
		m.stopped = true
		return nil
	}
	if m.idle == nil {
		m.idle = make(chan struct{})
	}
	return m.idle
}
