//go:build linux || darwin

package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"
)

// invalidate adds to the stock on one node after another, and asks all of them
// for the stock, which they have cached, until they know.
func (p *proof) invalidate(ctx context.Context) {
	for i := 0; ctx.Err() == nil; i++ {
		nodes := p.alive()
		for _, url := range nodes {
			_, _ = p.call(ctx, url, "Desk.level", "{}", "") // it is cached now, or the node is dead
		}
		here := nodes[i%len(nodes)]
		a, err := p.call(ctx, here, "Desk.add", "{}", "")
		if err != nil {
			pause(ctx, 50*time.Millisecond)
			continue
		}
		want, answered := whole(a), time.Now()
		if b, err := p.call(ctx, here, "Desk.level", "{}", ""); err == nil && whole(b) < want {
			p.mu.Lock()
			p.late++
			p.mu.Unlock()
		}
		var all sync.WaitGroup
		for _, url := range nodes {
			if url != here {
				all.Go(func() { p.await(ctx, url, want, answered) })
			}
		}
		all.Wait()
		pause(ctx, 20*time.Millisecond)
	}
}

// await asks a node until it knows the stock. One that dies meanwhile has
// forgotten its cache anyway.
func (p *proof) await(ctx context.Context, url string, want int64, since time.Time) {
	for {
		a, err := p.call(ctx, url, "Desk.level", "{}", "")
		took := time.Since(since)
		if err != nil {
			return
		}
		if whole(a) >= want || took > 5*time.Second {
			p.mu.Lock()
			p.seen = append(p.seen, took)
			p.mu.Unlock()
			return
		}
	}
}

func whole(a answer) int64 {
	n, _ := strconv.ParseInt(string(a.Result), 10, 64) // 0 for an error
	return n
}

// miss sends 20 calls at once for a report that nobody has.
func (p *proof) miss(ctx context.Context) {
	for n := 0; ctx.Err() == nil; n++ {
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				_, _ = p.call(ctx, p.proxyURL, "Desk.report", fmt.Sprintf(`{"number":%d}`, n), "") // a node may die
			})
		}
		all.Wait()
		if ctx.Err() != nil {
			return // some calls were cut off
		}
		runs := p.number(ctx, keyReport+strconv.Itoa(n))
		p.mu.Lock()
		p.runs = append(p.runs, runs)
		p.mu.Unlock()
		pause(ctx, 200*time.Millisecond)
	}
}

// order is an order sent to every node at once under one key.
type order struct {
	key      string
	mu       sync.Mutex
	answers  []string // that differ
	answered int
	replayed int
}

// order sends an order now and then.
func (p *proof) order(ctx context.Context) {
	var all sync.WaitGroup
	defer all.Wait()
	skus := []string{"TEA-01", "TEA-04", "CUP-01", "TEA-06"} // there are many of them
	for i := 0; ctx.Err() == nil; i++ {
		o := &order{key: rand.Text()}
		p.mu.Lock()
		p.orders = append(p.orders, o)
		p.mu.Unlock()
		params := fmt.Sprintf(`{"customer":"c000001","lines":[{"sku":%q,"quantity":1}]}`, skus[i%len(skus)])
		for n := range len(p.nodes) {
			all.Go(func() { p.send(ctx, o, n, params) })
		}
		pause(ctx, 200*time.Millisecond)
	}
}

// send sends an order to the node n, and to any other when that one dies, until
// there is an answer: what a careful client does.
func (p *proof) send(ctx context.Context, o *order, n int, params string) {
	for ctx.Err() == nil {
		a, err := p.call(ctx, p.at(n), "Orders.create", params, o.key)
		if err != nil || a.Error.Code == codeLocked {
			pause(ctx, 100*time.Millisecond)
			continue
		}
		text := string(a.Result) + a.Error.Message
		o.mu.Lock()
		defer o.mu.Unlock()
		o.answered++
		if a.replayed {
			o.replayed++
		}
		if !slices.Contains(o.answers, text) {
			o.answers = append(o.answers, text)
		}
		return
	}
}

// judge makes the table.
func (p *proof) judge(ctx context.Context, r *report) error {
	pause(ctx, lockTTL+lockTTL/2) // the locks of dead nodes end
	keys, err := p.db.Do(ctx, p.db.B().Keys().Pattern("facet:lock:*").Build()).AsStrSlice()
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	two := p.number(ctx, keyTwo)
	r.add("nodes killed and started again", p.kills.Load(), "", true)
	r.add("calls under one lock: done, refused as locked, without an answer",
		fmt.Sprintf("%d, %d, %d", p.worked.Load(), p.locked.Load(), p.failed.Load()), "some done", p.worked.Load() > 0)
	r.add("two holders at once", two, "0", two == 0)
	r.add("locks left a TTL after the last call", len(keys), "0", len(keys) == 0)
	slices.Sort(p.seen)
	if n := len(p.seen); n == 0 {
		r.add("invalidations seen by other nodes", 0, "some", false)
	} else {
		last := p.seen[n-1]
		r.add(fmt.Sprintf("%d invalidations seen by another node: half within, all within", n),
			fmt.Sprintf("%v, %v", round(p.seen[n/2]), round(last)), fmt.Sprintf("at most %v", maxSeen), last <= maxSeen)
	}
	r.add("results of the past on the node that invalidated", p.late, "0", p.late == 0)
	p.judgeOrders(ctx, r)
	p.judgeSession(r)
	runs, reports := int64(0), int64(len(p.runs))
	for _, n := range p.runs {
		runs += n
	}
	// Without the nodes' coalescing it is one for each node, without any 20. A
	// node that is killed at work does it in vain.
	limit := reports + reports/4 + p.kills.Load()
	r.add(fmt.Sprintf("%d reports, each missed by 20 callers at once: executions", reports), runs,
		fmt.Sprintf("%d to %d", reports, limit), reports > 0 && runs >= reports && runs <= limit)
	return nil
}

// judgeOrders looks at each order's answers and executions.
func (p *proof) judgeOrders(ctx context.Context, r *report) {
	var answers, replays, differ, unmarked, again int
	for _, o := range p.orders {
		answers += o.answered
		replays += o.replayed
		if len(o.answers) > 1 {
			differ++
		}
		if o.answered > o.replayed+1 {
			unmarked++
		}
		again += int(max(0, p.number(ctx, keyOrder+o.key)-1))
	}
	r.add(fmt.Sprintf("%d orders, each to every node at once: answers, replays among them", len(p.orders)),
		fmt.Sprintf("%d, %d", answers, replays), "some", replays > 0)
	r.add("orders with two different answers", differ, "0", differ == 0)
	r.add("orders with two answers that are no replays", unmarked, "0", unmarked == 0)
	r.add("orders made again, after their node was killed at work", again, fmt.Sprintf("at most the %d kills", p.kills.Load()), int64(again) <= p.kills.Load())
}

func round(d time.Duration) time.Duration { return d.Round(10 * time.Microsecond) }
