package async_test

import (
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/async"
)

// endless counts what it could write of a gigabyte.
func endless(written *atomic.Int64) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(1<<30))
		chunk := make([]byte, 1<<20)
		for range 1 << 10 {
			n, err := w.Write(chunk)
			if written.Add(int64(n)); err != nil {
				return
			}
		}
	}
}

// hijack writes raw text as the answer and closes the connection.
func hijack(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(err)
		}
		_, _ = io.WriteString(conn, text)
		_ = conn.Close()
	}
}

// R-S06: whatever a receiver does, a delivery ends, as the page says, and
// nothing of it stays: no goroutine, no connection, no memory.
func TestHostileReceivers(t *testing.T) {
	const jobs = 10
	inner := receive(t, nil) // where redirects lead to
	var written atomic.Int64
	slow := func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	trickle := func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(200)
		for r.Context().Err() == nil {
			if _, err := w.Write([]byte("x")); err != nil {
				return
			}
			w.(http.Flusher).Flush()
			select {
			case <-r.Context().Done():
			case <-time.After(10 * time.Millisecond):
			}
		}
	}
	for _, tt := range []struct {
		name   string
		answer http.HandlerFunc
		state  async.State
		reason string
	}{
		{"slow", slow, async.GivenUp, "no answer in time"},
		{"answers 500", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }, async.GivenUp, "status 500"},
		{"redirects to loopback", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, inner.URL, http.StatusTemporaryRedirect)
		}, async.GivenUp, "status 307"},
		{"answers 1 GB", endless(&written), async.Done, ""},
		{"answers one byte at a time", trickle, async.Done, ""},
		{"closes early", hijack(""), async.GivenUp, "cannot be reached"},
		{"closes within its headers", hijack("HTTP/1.1 200 OK\r\nContent-Le"), async.GivenUp, "cannot be reached"},
		{"closes within its body", hijack("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nxx"), async.Done, ""},
		{"answers 1 GB of headers", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Long", strings.Repeat("x", 1<<20))
		}, async.GivenUp, "cannot be reached"},
		{"speaks no HTTP", hijack("SSH-2.0-OpenSSH_9.6\r\n"), async.GivenUp, "cannot be reached"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := receive(t, tt.answer)
			w := r.local()
			w.Attempts, w.Timeout, w.PerHost = 1, 10*time.Second, jobs
			if tt.name == "slow" || tt.name == "answers one byte at a time" {
				w.Timeout = 300 * time.Millisecond
			}
			before := runtime.NumGoroutine()
			p := start(t, setup{async: async.Options{Webhooks: w, Queue: async.NewMemory(async.MemoryOptions{Workers: jobs})}},
				rpc.Method{Name: "run", Func: func() int { return 1 }})
			outputs := p.outputs()
			ids := make([]string, jobs)
			for i := range ids {
				ids[i] = p.submit("run", "{}", r.URL)
			}
			for range jobs {
				end(t, outputs)
			}
			for _, id := range ids {
				if job := p.job(id); job.State != tt.state || !strings.Contains(job.Problem, tt.reason) || job.Attempts != 1 {
					t.Errorf("%+v, want %s, %q", job, tt.state, tt.reason)
				}
			}
			if len(r.hooks) != jobs {
				t.Errorf("%d webhooks", len(r.hooks))
			}
			p.stop()
			settled(t, "goroutines", func() int { return runtime.NumGoroutine() - before - 2 }) // the pool's own may be left
			settled(t, "connections", func() int {
				n := 0
				r.conns.Range(func(any, any) bool { n++; return true })
				return n
			})
			if p.jobs.Busy() != 0 {
				t.Errorf("%d hosts are busy", p.jobs.Busy())
			}
		})
	}
	if len(inner.hooks) != 0 {
		t.Errorf("%d webhooks followed a redirect", len(inner.hooks))
	}
	if n := written.Load(); n > 10*16<<20 {
		t.Errorf("%d bytes of an endless answer were taken", n)
	}
}

// settled waits until count has come down to 0.
func settled(t *testing.T, what string, count func() int) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	timeout := time.After(5 * time.Second)
	for n := count(); n > 0; n = count() {
		select {
		case <-tick.C:
		case <-timeout:
			t.Errorf("%d %s are left", n, what)
			return
		}
	}
}

// R-S06: one host gets so many webhooks at a time, and others need not wait.
func TestPerHost(t *testing.T) {
	var now, most atomic.Int64
	free := make(chan struct{})
	slow := receive(t, func(w http.ResponseWriter, r *http.Request) {
		if n := now.Add(1); n > most.Load() {
			most.Store(n)
		}
		<-free
		now.Add(-1)
	})
	quick := receive(t, nil)
	w := slow.local()
	w.Hosts = append(w.Hosts, quick.local().Hosts...)
	w.PerHost = 2
	p := start(t, setup{async: async.Options{Webhooks: w}}, rpc.Method{Name: "run", Func: func() int { return 1 }})
	outputs := p.outputs()
	for range 8 { // all workers
		p.submit("run", "{}", slow.URL)
	}
	slow.next(t)
	slow.next(t)
	for range 12 {
		p.submit("run", "{}", quick.URL)
	}
	for range 12 {
		if o := end(t, outputs); !strings.HasPrefix(o.Deferred.Callback, quick.URL) || o.Attempts != 1 {
			t.Errorf("delivered %+v", o)
		}
	}
	if most.Load() != 2 || len(slow.hooks) != 0 {
		t.Errorf("the slow host got %d at a time, %d more", most.Load(), len(slow.hooks))
	}
	close(free)
	for range 8 {
		if o := end(t, outputs); o.Err != nil || o.Attempts != 1 {
			t.Errorf("delivered %+v", o)
		}
	}
	if most.Load() != 2 || p.jobs.Busy() != 0 {
		t.Errorf("the slow host got %d at a time, %d hosts are busy", most.Load(), p.jobs.Busy())
	}
}

// R-C10: an answer that is being posted is cut off when its job is cancelled.
func TestCancelPost(t *testing.T) {
	left := make(chan struct{})
	r := receive(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done(); close(left) })
	w := r.local()
	w.Timeout = time.Minute
	p := start(t, setup{async: async.Options{Webhooks: w}}, rpc.Method{Name: "run", Func: func() {}})
	id := p.submit("run", "{}", r.URL)
	r.next(t)
	p.ask("rpc.job.cancel", id)
	<-left
	settled(t, "jobs", func() int {
		if p.job(id).State == async.Cancelled {
			return 0
		}
		return 1
	})
	if len(r.hooks) != 0 {
		t.Errorf("%d more webhooks", len(r.hooks))
	}
}
