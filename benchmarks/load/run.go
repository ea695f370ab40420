package load

import (
	"errors"
	"sync"
	"time"
)

// Result is what came of a run.
type Result struct {
	Requests  int
	Errors    int
	Error     error           // the first one of each connection
	Latencies []time.Duration // of all requests without an error, in no order
	Elapsed   time.Duration
}

// maxErrors is after how many errors a connection gives up.
const maxErrors = 10

// Run keeps all connections busy for d. A request that has begun is finished.
func Run(conns []*Conn, d time.Duration) Result {
	parts := make([]Result, len(conns))
	begin := time.Now()
	var all sync.WaitGroup
	for i, c := range conns {
		all.Go(func() { parts[i] = c.run(begin.Add(d)) })
	}
	all.Wait()
	total := Result{Elapsed: time.Since(begin)}
	for _, p := range parts {
		total.Requests += p.Requests
		total.Errors += p.Errors
		total.Error = errors.Join(total.Error, p.Error)
		total.Latencies = append(total.Latencies, p.Latencies...)
	}
	return total
}

func (c *Conn) run(end time.Time) (r Result) {
	for begin := time.Now(); begin.Before(end) && r.Errors < maxErrors; {
		err := c.Do()
		now := time.Now()
		r.Requests++
		switch {
		case err == nil:
			r.Latencies = append(r.Latencies, now.Sub(begin))
		case r.Error == nil:
			r.Error = err
			fallthrough
		default:
			r.Errors++
		}
		begin = now
	}
	return r
}
