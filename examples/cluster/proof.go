//go:build linux || darwin

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/rueidis"
)

const (
	// killGap is between two kills, downTime how long a node stays dead.
	killGap  = 1200 * time.Millisecond
	downTime = 300 * time.Millisecond
	// maxSeen is how late an invalidation may be seen by another node.
	maxSeen = time.Second
)

// proof is the fleet under load and what was measured.
type proof struct {
	*fleet
	caller
	db    rueidis.Client
	dir   string
	kills atomic.Int64

	worked, locked, failed atomic.Int64 // calls of Desk.work

	mu     sync.Mutex
	seen   []time.Duration // from the answer of an invalidating call to each other node
	late   int             // answers of the past on the node that invalidated
	orders []*order
	runs   []int64 // executions of each report

	session string // of the agent
	talked  []int  // its calls, by node
	lost    int    // times its session was not found
}

// prove runs the load on a fleet of its own and looks at what came of it.
func prove(ctx context.Context, set settings, redis, dir string) (*report, error) {
	db, err := connect(redis)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	f, err := startFleet(redis, dir, set.nodes)
	if err != nil {
		return nil, err
	}
	defer f.stop()
	p := &proof{fleet: f, db: db, dir: dir, caller: caller{&http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 32}}}, talked: make([]int, set.nodes)}
	defer p.http.CloseIdleConnections()
	r := new(report)
	freed, err := p.lockOfTheDead(ctx)
	if err != nil {
		return nil, err
	}
	p.load(ctx, set.load)
	if err := p.judge(ctx, r); err != nil {
		return nil, err
	}
	r.add("the lock of a killed node was had after", freed, fmt.Sprintf("at most %v", lockTTL+maxSeen), freed <= lockTTL+maxSeen)
	return r, ctx.Err()
}

// load lets all kinds of calls run while nodes are killed.
func (p *proof) load(ctx context.Context, d time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	var all sync.WaitGroup
	for range 12 {
		all.Go(func() { p.work(ctx) })
	}
	all.Go(func() { p.invalidate(ctx) })
	all.Go(func() { p.miss(ctx) })
	all.Go(func() { p.order(ctx) })
	all.Go(func() { p.talk(ctx) })
	all.Go(func() { p.reap(ctx) })
	all.Wait()
}

// reap kills nodes and starts them again.
func (p *proof) reap(ctx context.Context) {
	for {
		pause(ctx, killGap)
		if ctx.Err() != nil {
			return
		}
		i := rand.IntN(len(p.nodes))
		p.kill(i)
		p.kills.Add(1)
		pause(ctx, downTime)
		if err := p.start(i); err != nil {
			return // the nodes that are left go on
		}
	}
}

// work wants the one room all the time, through the proxy.
func (p *proof) work(ctx context.Context) {
	for ctx.Err() == nil {
		a, err := p.call(ctx, p.proxyURL, "Desk.work", `{"room":"one","millis":2}`, "")
		switch {
		case err != nil:
			p.failed.Add(1)
			pause(ctx, 10*time.Millisecond)
		case a.Error.Code == codeLocked:
			p.locked.Add(1)
		case a.Error.Code == 0:
			p.worked.Add(1)
		default:
			p.failed.Add(1)
		}
	}
}

// lockOfTheDead kills a node that works in a room, and measures when another
// one gets in.
func (p *proof) lockOfTheDead(ctx context.Context) (time.Duration, error) {
	dead, other := p.at(0), p.at(1)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = p.call(ctx, dead, "Desk.work", `{"room":"last","millis":60000}`, "") // it dies
	}()
	defer func() { <-done }()
	for began := time.Now(); p.number(ctx, keyWork+"last") == 0; pause(ctx, time.Millisecond) {
		if ctx.Err() != nil || time.Since(began) > 10*time.Second {
			p.kill(0)
			return 0, fmt.Errorf("nobody works in the room; see the log of the node in %s", filepath.Join(p.dir, "node-0.log"))
		}
	}
	p.kill(0)
	killed := time.Now()
	for {
		a, err := p.call(ctx, other, "Desk.work", `{"room":"last","millis":0}`, "")
		if err == nil && a.Error.Code == 0 {
			break
		}
		if ctx.Err() != nil || time.Since(killed) > 20*time.Second {
			return 0, fmt.Errorf("the lock of a killed node is never free: %s %w", a.Error.Message, err)
		}
	}
	freed := time.Since(killed).Round(time.Millisecond)
	return freed, p.start(0)
}

// number is a counter in Redis; 0 without one.
func (p *proof) number(ctx context.Context, key string) int64 {
	n, _ := p.db.Do(ctx, p.db.B().Get().Key(key).Build()).AsInt64() // absent, mostly
	return n
}
