package async_test

import (
	"context"
	"testing"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/async"
)

// taped is a queue that remembers what it was given, to hand it out again as a
// queue does after a process has died.
type taped struct {
	async.Queue
	tasks chan async.Task
}

func (q *taped) Add(ctx context.Context, t async.Task) error {
	q.tasks <- t
	return q.Queue.Add(ctx, t)
}

// R-C10: a task that is handed out twice runs its method once, when its answer
// was kept, and posts the same bytes with the same id.
func TestHandedOutTwice(t *testing.T) {
	r := receive(t, nil)
	q := &taped{async.NewMemory(async.MemoryOptions{}), make(chan async.Task, 10)}
	ran := 0
	p := start(t, setup{async: async.Options{Queue: q, Webhooks: r.local()}}, rpc.Method{Name: "run", Func: func() int { ran++; return ran }})
	outputs := p.outputs()
	id := p.submit("run", "{}", r.URL)
	first := r.next(t)
	end(t, outputs)
	for range 2 { // Run, then Deliver
		task := <-q.tasks
		if task.ID != id {
			t.Errorf("task %s of job %s", task.ID, id)
		}
		if err := q.Queue.Add(t.Context(), task); err != nil {
			t.Fatal(err)
		}
		again := r.next(t)
		end(t, outputs)
		if again.body != first.body || again.header.Get("Webhook-Id") != id || ran != 1 {
			t.Errorf("%s as %s, ran %d times", again.body, again.header.Get("Webhook-Id"), ran)
		}
	}
}

// R-C10: a job that was cancelled before it began does not begin, although the
// queue hands it out.
func TestCancelledIsHandedOut(t *testing.T) {
	q := &taped{async.NewMemory(async.MemoryOptions{Workers: 1}), make(chan async.Task, 10)}
	block, began := make(chan struct{}), make(chan struct{}, 10)
	p := start(t, setup{async: async.Options{Queue: q}, rest: func(j *async.Jobs) { j.DialWith(nowhere) }},
		rpc.Method{Name: "run", Func: func() { began <- struct{}{}; <-block }})
	p.submit("run", "{}", "https://hooks.example")
	<-began
	id := p.submit("run", "{}", "https://hooks.example")
	p.ask("rpc.job.cancel", id)
	<-q.tasks
	if err := q.Queue.Add(t.Context(), <-q.tasks); err != nil {
		t.Fatal(err)
	}
	last := p.submit("run", "{}", "https://hooks.example")
	close(block)
	<-began // of last, after the cancelled one
	if got := p.job(id).State; got != async.Cancelled || len(began) != 0 {
		t.Errorf("%s, %d began, last %s", got, len(began), last)
	}
}
