package async_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/facet-rpc/facet/cache"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/async"
)

// shaky are Records that can be down.
type shaky struct {
	rpc.Records
	down atomic.Bool
}

var errDown = errors.New("the records are down")

func (s *shaky) Get(ctx context.Context, key string) ([]byte, bool, error) {
	if s.down.Load() {
		return nil, false, errDown
	}
	return s.Records.Get(ctx, key)
}

func (s *shaky) Put(ctx context.Context, key string, value []byte, ttl time.Duration) error {
	if s.down.Load() {
		return errDown
	}
	return s.Records.Put(ctx, key, value, ttl)
}

func (s *shaky) PutIfAbsent(ctx context.Context, key string, value []byte, ttl time.Duration) (bool, error) {
	if s.down.Load() {
		return false, errDown
	}
	return s.Records.PutIfAbsent(ctx, key, value, ttl)
}

func shared(t *testing.T) *shaky {
	pool, err := cache.NewMemory(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return &shaky{Records: pool}
}

// R-C10: a call that one process accepted runs in another one, as the same
// caller, and any of them knows the job. What the other may not post to is
// given up there.
func TestOtherProcess(t *testing.T) {
	r := receive(t, nil)
	records := shared(t)
	method := rpc.Method{Name: "echo", Func: echo}
	q1, q2, q3 := &byHand{tasks: make(chan async.Task, 1)}, &byHand{tasks: make(chan async.Task, 1)}, &byHand{}
	p1 := start(t, setup{async: async.Options{Queue: q1, Records: records, Webhooks: r.local()}}, method)
	start(t, setup{async: async.Options{Queue: q2, Records: records, Webhooks: r.local()}}, method)
	start(t, setup{async: async.Options{Queue: q3, Records: records, Webhooks: async.Webhooks{Hosts: []string{"other.example"}}}}, method)

	id := p1.submit("echo", `{"text":"hi"}`, r.URL)
	if err := q2.handler(t.Context(), <-q1.tasks, 1); err != nil {
		t.Fatal(err)
	}
	deliver := <-q2.tasks
	if err := q1.handler(t.Context(), deliver, 2); err != nil {
		t.Fatal(err)
	}
	if h := r.next(t); h.body != `{"jsonrpc":"2.0","id":1,"result":"hi ann "}` || h.header.Get("Webhook-Id") != id {
		t.Errorf("posted %s", h.body)
	}
	if job := p1.job(id); job.State != async.Done || job.Attempts != 2 {
		t.Errorf("job %+v", job)
	}
	var final *async.Final
	if err := q3.handler(t.Context(), deliver, 3); !errors.As(err, &final) {
		t.Errorf("a callback that is not allowed there: %v", err)
	}
	if job := p1.job(id); job.State != async.GivenUp || !strings.Contains(job.Problem, "the callback must") {
		t.Errorf("job %+v", job)
	}
}

// R-C10: while Records are down no job is taken, none begins, and what there is
// comes again; an answer is posted all the same.
func TestRecordsDown(t *testing.T) {
	r := receive(t, nil)
	records := shared(t)
	q := &byHand{tasks: make(chan async.Task, 10)}
	ran := 0
	p := start(t, setup{async: async.Options{Queue: q, Records: records, Webhooks: r.local()}}, rpc.Method{Name: "run", Func: func() { ran++ }})
	id := p.submit("run", "{}", r.URL)
	run := <-q.tasks

	records.down.Store(true)
	for _, body := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"run","params":{"$rpc":{"callback":"` + r.URL + `"}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"rpc.job.get","params":{"id":"` + id + `"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"rpc.job.cancel","params":{"id":"` + id + `"}}`,
	} {
		if got := p.post(body); !strings.Contains(got, "-32503") {
			t.Errorf("%s: %s", body, got)
		}
	}
	var final *async.Final
	if err := q.handler(t.Context(), run, 1); !errors.Is(err, errDown) || errors.As(err, &final) || ran != 0 {
		t.Errorf("the first try: %v, ran %d times", err, ran)
	}
	if err := q.handler(t.Context(), run, run.Attempts); !errors.As(err, &final) || ran != 0 {
		t.Errorf("the last try: %v, ran %d times", err, ran)
	}

	records.down.Store(false)
	if err := q.handler(t.Context(), run, 2); err != nil || ran != 1 {
		t.Fatalf("%v, ran %d times", err, ran)
	}
	records.down.Store(true)
	if err := q.handler(t.Context(), <-q.tasks, 1); err != nil || r.next(t).header.Get("Webhook-Id") != id {
		t.Errorf("the answer: %v", err)
	}
}
