package async_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/async"
)

// R-S06 R-C10: an answer that is not taken is posted again, later each time,
// with the same id; the method runs once.
func TestRetries(t *testing.T) {
	status := func(code int) func(http.ResponseWriter, int) {
		return func(w http.ResponseWriter, _ int) { w.WriteHeader(code) }
	}
	for _, tt := range []struct {
		name   string
		answer func(w http.ResponseWriter, n int)
		state  async.State
		at     []time.Duration // when, at the earliest
		reason string
	}{
		{"taken", status(202), async.Done, []time.Duration{0}, ""},
		{"taken at last", func(w http.ResponseWriter, n int) {
			if n < 4 {
				w.WriteHeader(500)
			}
		}, async.Done, []time.Duration{0, 5 * time.Second, 25 * time.Second, 105 * time.Second}, ""},
		{"never taken", status(500), async.GivenUp, []time.Duration{0, 5 * time.Second, 25 * time.Second, 105 * time.Second, 425 * time.Second}, "the receiver answered with status 500"},
		{"gone", status(410), async.GivenUp, []time.Duration{0}, "the receiver answered with status 410"},
		{"redirect", func(w http.ResponseWriter, _ int) {
			w.Header().Set("Location", "http://127.0.0.1/")
			w.WriteHeader(307)
		}, async.GivenUp, make([]time.Duration, 5), "the receiver answered with status 307"},
		{"Retry-After in seconds", func(w http.ResponseWriter, n int) {
			if n == 1 {
				w.Header().Set("Retry-After", "3600")
				w.WriteHeader(429)
			}
		}, async.Done, []time.Duration{0, time.Hour}, ""},
		{"Retry-After as a date", func(w http.ResponseWriter, n int) {
			if n == 1 {
				w.Header().Set("Retry-After", time.Now().Add(2*time.Hour).UTC().Format(http.TimeFormat))
				w.WriteHeader(503)
			}
		}, async.Done, []time.Duration{0, 2*time.Hour - time.Second}, ""},
		{"Retry-After without end", func(w http.ResponseWriter, n int) {
			if n == 1 {
				w.Header().Set("Retry-After", "99999999999999")
				w.WriteHeader(503)
			}
		}, async.Done, []time.Duration{0, 6 * time.Hour}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inBubble(t, tt.answer, func(t *testing.T, network *pipes, attempts func() []attempt) {
				ran := 0
				p := start(t, network.setup(async.Options{Webhooks: async.Webhooks{Attempts: 5}}),
					rpc.Method{Name: "run", Func: func() int { ran++; return ran }})
				outputs := p.outputs()
				id := p.submitPlain(t, "run")
				o := <-outputs
				if job := p.job(id); job.State != tt.state || job.Attempts != len(tt.at) || o.Attempts != len(tt.at) || (o.Err == nil) != (tt.state == async.Done) || job.Problem != tt.reason {
					t.Errorf("job %+v, output %+v", job, o)
				}
				got := attempts()
				if len(got) != len(tt.at) || ran != 1 {
					t.Fatalf("%d attempts, ran %d times", len(got), ran)
				}
				for i, a := range got {
					most := tt.at[i] + tt.at[i]/4 + 3*time.Second
					if a.id != id || a.body != got[0].body || a.after < tt.at[i] || tt.at[i] > 0 && a.after > most {
						t.Errorf("attempt %d: %s after %v, want %v to %v", i+1, a.id, a.after, tt.at[i], most)
					}
				}
				dead, err := p.jobs.Dead(t.Context(), 10)
				if err != nil || (len(dead) == 1) != (tt.state == async.GivenUp) || len(dead) == 1 && (dead[0].Task.ID != id || dead[0].Attempts != len(tt.at)) {
					t.Errorf("dead: %+v, %v", dead, err)
				}
				p.stop()
			})
		})
	}
}

// R-C10: cancelling an answer that waits for its next try ends the tries.
func TestCancelDelivery(t *testing.T) {
	inBubble(t, func(w http.ResponseWriter, _ int) { w.WriteHeader(500) }, func(t *testing.T, network *pipes, attempts func() []attempt) {
		p := start(t, network.setup(async.Options{}), rpc.Method{Name: "run", Func: func() int { return 1 }})
		id := p.submitPlain(t, "run")
		if n := len(attempts()); n != 1 || p.job(id).State != async.Delivering {
			t.Errorf("%d attempts, %+v", n, p.job(id))
		}
		if got := p.ask("rpc.job.cancel", id); got.State != async.Cancelled {
			t.Errorf("cancelled: %+v", got)
		}
		time.Sleep(48 * time.Hour)
		if n := len(attempts()); n != 1 {
			t.Errorf("%d attempts", n)
		}
		p.stop()
	})
}

// R-C10: a stop runs what waits, posts what is there, and gives answers that
// wait for another try their last one.
func TestStopDrains(t *testing.T) {
	inBubble(t, func(w http.ResponseWriter, n int) {
		if n == 1 {
			w.WriteHeader(500)
		}
	}, func(t *testing.T, network *pipes, attempts func() []attempt) {
		p := start(t, network.setup(async.Options{Queue: async.NewMemory(async.MemoryOptions{Workers: 1})}),
			rpc.Method{Name: "run", Func: func() { time.Sleep(100 * time.Millisecond) }})
		outputs := p.outputs()
		p.submitPlain(t, "run")
		time.Sleep(time.Second)
		if n := len(attempts()); n != 1 {
			t.Fatalf("%d attempts", n)
		}
		p.submitPlain(t, "run")
		p.submitPlain(t, "run")
		began := time.Now()
		if err := p.exec.Shutdown(t.Context()); err != nil || time.Since(began) > time.Second {
			t.Errorf("Shutdown: %v after %v", err, time.Since(began))
		}
		if n := len(attempts()); n != 4 || len(outputs) != 3 {
			t.Errorf("%d attempts, %d outputs", n, len(outputs))
		}
	})
}

// R-C10: what a stop has no time for is lost, and Shutdown says so.
func TestStopIsCutShort(t *testing.T) {
	inBubble(t, func(http.ResponseWriter, int) {}, func(t *testing.T, network *pipes, attempts func() []attempt) {
		p := start(t, network.setup(async.Options{Queue: async.NewMemory(async.MemoryOptions{Workers: 1})}),
			rpc.Method{Name: "run", Func: func() { time.Sleep(time.Minute) }})
		p.submitPlain(t, "run")
		p.submitPlain(t, "run")
		began := time.Now()
		ctx, cancel := contextOf(t, 10*time.Second)
		defer cancel()
		err := p.exec.Shutdown(ctx)
		if err == nil || err.Error() != "async: 2 jobs in memory were not finished and are lost: context deadline exceeded" || time.Since(began) != 10*time.Second {
			t.Errorf("Shutdown: %v after %v", err, time.Since(began))
		}
		time.Sleep(time.Hour)
		if n := len(attempts()); n != 0 {
			t.Errorf("%d attempts", n)
		}
	})
}
