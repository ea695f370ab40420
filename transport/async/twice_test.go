package async_test

import (
	"context"
	"testing"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/async"
)

// byHand is a queue whose tasks the test hands out, as often as it likes: so
// does a queue that outlives processes.
type byHand struct {
	handler async.Handler
	tasks   chan async.Task
}

func (q *byHand) Add(_ context.Context, t async.Task) error                { q.tasks <- t; return nil }
func (q *byHand) Start(h async.Handler) error                              { q.handler = h; return nil }
func (q *byHand) Cancel(context.Context, async.Kind, string) (bool, error) { return false, nil }
func (q *byHand) Dead(context.Context, int) (dead []async.Dead, err error) { return nil, nil }
func (q *byHand) Stop(context.Context) error                               { return nil }

// R-C10: a task that is handed out twice runs its method once, when its answer
// was kept, and posts the same bytes with the same id.
func TestHandedOutTwice(t *testing.T) {
	r := receive(t, nil)
	q := &byHand{tasks: make(chan async.Task, 10)}
	ran := 0
	p := start(t, setup{async: async.Options{Queue: q, Webhooks: r.local()}}, rpc.Method{Name: "run", Func: func() int { ran++; return ran }})
	id := p.submit("run", "{}", r.URL)
	run := <-q.tasks
	for range 2 {
		if err := q.handler(t.Context(), run, 1); err != nil {
			t.Fatal(err)
		}
		deliver := <-q.tasks
		for range 2 {
			if err := q.handler(t.Context(), deliver, 1); err != nil {
				t.Fatal(err)
			}
			if h := r.next(t); h.body != `{"jsonrpc":"2.0","id":1,"result":1}` || h.header.Get("Webhook-Id") != id || ran != 1 {
				t.Errorf("%s as %s, ran %d times", h.body, h.header.Get("Webhook-Id"), ran)
			}
		}
	}
	if run.Kind != async.Run || run.ID != id || p.job(id).State != async.Done {
		t.Errorf("task %+v, job %+v", run, p.job(id))
	}
}

// R-C10: a job that was cancelled does not begin and posts nothing, although
// the queue hands it out.
func TestCancelledIsHandedOut(t *testing.T) {
	r := receive(t, nil)
	q := &byHand{tasks: make(chan async.Task, 10)}
	ran := 0
	p := start(t, setup{async: async.Options{Queue: q, Webhooks: r.local()}}, rpc.Method{Name: "run", Func: func() { ran++ }})
	for _, before := range []bool{true, false} {
		id := p.submit("run", "{}", r.URL)
		task := <-q.tasks
		if !before { // after the method, before its answer is posted
			if err := q.handler(t.Context(), task, 1); err != nil {
				t.Fatal(err)
			}
		}
		p.ask("rpc.job.cancel", id)
		for len(q.tasks) > 0 {
			task = <-q.tasks
		}
		if err := q.handler(t.Context(), task, 1); err != nil {
			t.Error(err)
		}
		if got := p.job(id).State; got != async.Cancelled || len(r.hooks) != 0 || (ran == 0) != before {
			t.Errorf("%s, %d posted, ran %d times", got, len(r.hooks), ran)
		}
	}
}

// R-C10: a process that stops while the method runs leaves the job to another
// one, without an attempt.
func TestStoppedWhileRunning(t *testing.T) {
	q := &byHand{tasks: make(chan async.Task, 10)}
	ctx, stop := context.WithCancel(t.Context())
	p := start(t, setup{async: async.Options{Queue: q}}, rpc.Method{Name: "run", Func: func(ctx context.Context) error {
		stop()
		<-ctx.Done()
		return ctx.Err()
	}})
	id := p.submit("run", "{}", "https://hooks.example")
	err := q.handler(ctx, <-q.tasks, 1)
	if again, ok := err.(*async.Again); !ok || !again.Free || len(q.tasks) != 0 || p.job(id).State != async.Running {
		t.Errorf("got %v, %d tasks, %+v", err, len(q.tasks), p.job(id))
	}
}
