package redisqueue_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/facet-rpc/facet/rpc/rpctest"
	"github.com/facet-rpc/facet/transport/async"
	"github.com/facet-rpc/facet/transport/async/redisqueue"
	"github.com/gin-gonic/gin"
	"github.com/redis/go-redis/v9"
	"go.uber.org/goleak"
	"go.uber.org/zap/zaptest"
)

var _ async.Queue = (*redisqueue.Queue)(nil)

func TestMain(m *testing.M) {
	gin.SetMode(gin.ReleaseMode)
	if url := os.Getenv(workerURL); url != "" {
		os.Exit(worker(url))
	}
	goleak.VerifyTestMain(m)
}

// open makes a queue on a Redis; it ends with the test.
func open(t *testing.T, url string, change func(*redisqueue.Options)) *redisqueue.Queue {
	t.Helper()
	o := optionsOf(t, url)
	o.Logger = zaptest.NewLogger(t)
	if change != nil {
		change(&o)
	}
	q, err := redisqueue.New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := q.Close(); err != nil {
			t.Error(err)
		}
	})
	return q
}

func optionsOf(t *testing.T, url string) redisqueue.Options {
	t.Helper()
	o, err := redis.ParseURL(url)
	if err != nil {
		t.Fatal(err)
	}
	return redisqueue.Options{Redis: &redis.UniversalOptions{Addrs: []string{o.Addr}}}
}

// handler notes the tries and answers what the test says.
type handler struct {
	t      *testing.T
	tries  chan try
	answer func(ctx context.Context, t async.Task, attempt int) error
}

type try struct {
	task    async.Task
	attempt int
}

func (h *handler) handle(ctx context.Context, t async.Task, attempt int) error {
	h.tries <- try{t, attempt}
	if h.answer == nil {
		return nil
	}
	return h.answer(ctx, t, attempt)
}

// start lets q hand out tasks.
func start(t *testing.T, q *redisqueue.Queue, answer func(ctx context.Context, t async.Task, attempt int) error) *handler {
	t.Helper()
	h := &handler{t: t, tries: make(chan try, 100), answer: answer}
	if err := q.Start(h.handle); err != nil {
		t.Fatal(err)
	}
	return h
}

// next is the next try: its kind, id and attempt.
func (h *handler) next() string {
	h.t.Helper()
	select {
	case got := <-h.tries:
		return fmt.Sprintf("%s %s %d", got.task.Kind, got.task.ID, got.attempt)
	case <-time.After(20 * time.Second):
		h.t.Fatal("no task is handed out")
		return ""
	}
}

func (h *handler) want(want string) {
	h.t.Helper()
	if got := h.next(); got != want {
		h.t.Errorf("handed out: %s; want %s", got, want)
	}
}

func add(t *testing.T, q *redisqueue.Queue, kind async.Kind, id string, attempts int) {
	t.Helper()
	if err := q.Add(t.Context(), async.Task{Kind: kind, ID: id, Payload: []byte("of " + id), Attempts: attempts, Limit: time.Minute}); err != nil {
		t.Fatal(err)
	}
}

// until waits for what Redis shows a little later.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for end := time.Now().Add(20 * time.Second); !ok(); <-again.C {
		if time.Now().After(end) {
			t.Fatal("still not so: ", what)
		}
	}
}

// R-C10: every task is handed out, once when it succeeds, by either kind.
func TestTasks(t *testing.T) {
	server := rpctest.Redis(t)
	q := open(t, server.URL, nil)
	add(t, q, async.Run, "a", 3) // before there are workers
	h := start(t, q, nil)
	h.want("run a 1")
	add(t, q, async.Deliver, "a", 3)
	got := <-h.tries
	if got.task.Kind != async.Deliver || got.task.ID != "a" || string(got.task.Payload) != "of a" || got.task.Attempts != 3 || got.task.Limit != time.Minute {
		t.Errorf("the task came as %+v", got)
	}
	if dead, err := q.Dead(t.Context(), 10); len(dead) != 0 || err != nil {
		t.Errorf("dead: %v, %v", dead, err)
	}
	if err := q.Start(h.handle); err == nil {
		t.Error("a queue was started twice")
	}
}

// A task that is there already is left as it is.
func TestAddAgain(t *testing.T) {
	q := open(t, rpctest.Redis(t).URL, nil)
	add(t, q, async.Run, "a", 3)
	add(t, q, async.Run, "a", 5)
	h := start(t, q, nil)
	if got := <-h.tries; got.task.Attempts != 3 {
		t.Errorf("the second one replaced the first: %+v", got)
	}
	add(t, q, async.Run, "b", 1)
	h.want("run b 1") // and not a once more
}

// R-C10: a try that failed is repeated, when and as often as it says.
func TestTries(t *testing.T) {
	q := open(t, rpctest.Redis(t).URL, nil)
	fault := errors.New("fault")
	soon := &async.Again{After: time.Millisecond, Err: fault}
	h := start(t, q, func(_ context.Context, task async.Task, attempt int) error {
		switch {
		case task.ID == "final":
			return &async.Final{Err: fault}
		case task.ID == "panics":
			panic("boom")
		case task.ID == "free" && attempt == 1 && task.Kind == async.Run:
			return &async.Again{After: time.Millisecond, Free: true, Err: fault}
		}
		return soon
	})
	add(t, q, async.Run, "twice", 2)
	h.want("run twice 1")
	h.want("run twice 2")
	dead := func(n int, want string) {
		t.Helper()
		var got []async.Dead
		until(t, want, func() (ok bool) {
			var err error
			if got, err = q.Dead(t.Context(), 10); err != nil {
				t.Fatal(err)
			}
			return len(got) == n
		})
		d := got[slices.IndexFunc(got, func(d async.Dead) bool { return strings.Contains(want, d.Task.ID) })]
		if text := fmt.Sprintf("%s %s %s %d %s", d.Task.Kind, d.Task.ID, d.Task.Payload, d.Attempts, d.Problem); text != want || time.Since(d.At) > time.Minute {
			t.Errorf("dead is %s at %v; want %s", text, d.At, want)
		}
	}
	dead(1, "run twice of twice 2 fault")
	add(t, q, async.Deliver, "final", 9)
	h.want("deliver final 1")
	dead(2, "deliver final of final 1 fault")
	add(t, q, async.Run, "panics", 1)
	h.want("run panics 1")
	until(t, "the panic is noted", func() bool {
		d, err := q.Dead(t.Context(), 3)
		return err == nil && len(d) == 3 && strings.Contains(d[0].Problem+d[1].Problem+d[2].Problem, "boom")
	})
	add(t, q, async.Run, "free", 5)
	for range 3 { // it counts no attempt
		h.want("run free 1")
	}
	if got, err := q.Dead(t.Context(), 1); len(got) != 1 || err != nil {
		t.Errorf("Dead(1) = %v, %v", got, err)
	}
	if got, err := q.Dead(t.Context(), 0); len(got) != 0 || err != nil {
		t.Errorf("Dead(0) = %v, %v", got, err)
	}
}

// R-C10: what waits is taken out, what is handled has its context ended, by
// another process too.
func TestCancel(t *testing.T) {
	server := rpctest.Redis(t)
	q, other := open(t, server.URL, nil), open(t, server.URL, nil)
	cancel := func(id string, want bool) {
		t.Helper()
		if removed, err := other.Cancel(t.Context(), async.Run, id); removed != want || err != nil {
			t.Errorf("Cancel(%s) = %t, %v; want %t", id, removed, err, want)
		}
	}
	cancel("nothing", false)
	add(t, q, async.Run, "waits", 3)
	cancel("waits", true)
	ended := make(chan error, 1)
	h := start(t, q, func(ctx context.Context, task async.Task, attempt int) error {
		switch {
		case task.ID == "fails":
			return errors.New("later")
		case task.ID == "dies":
			return &async.Final{Err: errors.New("no")}
		case attempt > 1:
			return nil
		}
		<-ctx.Done()
		ended <- ctx.Err()
		return ctx.Err()
	})
	add(t, q, async.Run, "runs", 3)
	h.want("run runs 1") // and never waits
	cancel("runs", false)
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the context ended with %v", err)
	}
	h.want("run runs 2") // the handler learns why
	add(t, q, async.Run, "fails", 3)
	h.want("run fails 1")
	until(t, "it waits for its second try", func() bool {
		removed, err := other.Cancel(t.Context(), async.Run, "fails")
		return removed && err == nil
	})
	add(t, q, async.Run, "dies", 3)
	h.want("run dies 1")
	until(t, "it is dead", func() bool { d, err := q.Dead(t.Context(), 1); return err == nil && len(d) == 1 })
	cancel("dies", false)
	if d, err := q.Dead(t.Context(), 1); len(d) != 1 || err != nil {
		t.Errorf("a dead task was taken out: %v, %v", d, err)
	}
}

// Jobs beyond the bound are refused; answers never are.
func TestFull(t *testing.T) {
	q := open(t, rpctest.Redis(t).URL, func(o *redisqueue.Options) { o.Tasks = 2 })
	add(t, q, async.Run, "a", 1)
	add(t, q, async.Deliver, "b", 1)
	if err := q.Add(t.Context(), async.Task{Kind: async.Run, ID: "c", Attempts: 1}); !errors.Is(err, async.ErrFull) {
		t.Errorf("Add to a full queue: %v", err)
	}
	add(t, q, async.Deliver, "d", 1)
}

// Stop waits for what runs. When its time is over, that goes back to the
// queue and another process does it, as the same attempt.
func TestStop(t *testing.T) {
	server := rpctest.Redis(t)
	q := open(t, server.URL, nil)
	release := make(chan struct{})
	done := make(chan struct{})
	h := start(t, q, func(context.Context, async.Task, int) error { <-release; close(done); return nil })
	add(t, q, async.Run, "a", 3)
	h.want("run a 1")
	stopped := make(chan error)
	go func() { stopped <- q.Stop(t.Context()) }()
	close(release)
	<-done
	if err := <-stopped; err != nil {
		t.Errorf("Stop: %v", err)
	}
	if err := q.Add(t.Context(), async.Task{Kind: async.Run, ID: "b", Attempts: 1}); !errors.Is(err, async.ErrStopped) {
		t.Errorf("Add after Stop: %v", err)
	}

	q = open(t, server.URL, nil)
	h = start(t, q, func(ctx context.Context, _ async.Task, _ int) error { <-ctx.Done(); return ctx.Err() })
	add(t, q, async.Run, "c", 3)
	h.want("run c 1")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := q.Stop(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Stop without time: %v", err)
	}
	h = start(t, open(t, server.URL, nil), nil)
	h.want("run c 1")
}

// R-C10: the task of a process that died is handed out again, and given up
// when its processes die each time.
func TestCrash(t *testing.T) {
	server := rpctest.Redis(t)
	client := redis.NewClient(&redis.Options{Addr: strings.TrimPrefix(server.URL, "redis://")})
	defer client.Close()
	died := func() { // as if the leases had ended a minute ago
		t.Helper()
		if err := client.ZAdd(t.Context(), "asynq:{facet:run}:lease", redis.Z{Score: float64(time.Now().Unix() - 60), Member: "run-a"}).Err(); err != nil {
			t.Fatal(err)
		}
	}
	hang := func(ctx context.Context, _ async.Task, _ int) error { <-ctx.Done(); return ctx.Err() }
	for attempt := range 2 {
		proxy := server.Proxy()
		q := open(t, proxy.URL, nil)
		if attempt == 0 {
			add(t, q, async.Run, "a", 2)
		}
		h := start(t, q, hang)
		h.want(fmt.Sprintf("run a %d", attempt+1))
		t.Cleanup(proxy.Pass) // before q is closed
		proxy.Stall()         // it can neither prolong its lease nor give the task back
		died()
	}
	last := open(t, server.URL, nil)
	start(t, last, hang)
	until(t, "it is given up", func() bool {
		d, err := last.Dead(t.Context(), 1)
		return err == nil && len(d) == 1 && d[0].Attempts == 2 && strings.Contains(d[0].Problem, "the process died")
	})
}

// A Redis that is down is told at once, and comes back.
func TestRedisDown(t *testing.T) {
	server := rpctest.Redis(t)
	q := open(t, server.URL, nil)
	h := start(t, q, nil)
	server.Kill()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	if err := q.Add(ctx, async.Task{Kind: async.Run, ID: "a", Attempts: 1}); err == nil {
		t.Error("a task was added to no Redis")
	}
	if _, err := q.Cancel(ctx, async.Run, "a"); err == nil {
		t.Error("a task was cancelled in no Redis")
	}
	if _, err := q.Dead(ctx, 1); err == nil {
		t.Error("dead tasks were listed from no Redis")
	}
	server.Start()
	until(t, "a task is added", func() bool {
		return q.Add(t.Context(), async.Task{Kind: async.Run, ID: "b", Attempts: 1}) == nil
	})
	h.want("run b 1")
}

func TestOpen(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	for _, c := range []struct{ url, want string }{
		{"redis://user:secret@127.0.0.1:1/0", "redisqueue: connect to Redis at"},
		{"http://user:secret@127.0.0.1/", "redisqueue: the URL of Redis cannot be read"},
		{"redis://user:secret@127.0.0.1:x/", "redisqueue: the URL of Redis cannot be read"},
	} {
		_, err := redisqueue.Open(ctx, c.url)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("Open(%s): %v", c.url, err)
		}
	}
	for _, o := range []redisqueue.Options{{}, {Redis: &redis.UniversalOptions{}, Workers: -1}, {Redis: &redis.UniversalOptions{}, Tasks: -1}} {
		if _, err := redisqueue.New(ctx, o); err == nil {
			t.Errorf("%+v was taken", o)
		}
	}
	server := rpctest.Redis(t)
	q, err := redisqueue.Open(ctx, server.URL)
	if err != nil {
		t.Fatal(err)
	}
	if err := q.Close(); err != nil {
		t.Error(err)
	}
}
