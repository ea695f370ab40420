package async

import (
	"context"
	"errors"
	"sync"
	"time"
)

// places bounds how many webhooks each host gets at a time.
type places struct {
	most int

	mu    sync.Mutex
	hosts map[string]*place
}

type place struct {
	taken chan struct{} // one element for each webhook on its way
	users int           // who is on the way or waits
}

// How long a worker waits for a place at a host before it does something
// else, and for how long that is.
const (
	placeWait  = 50 * time.Millisecond
	placePause = time.Second
)

// errBusy: a host has as many webhooks as it gets at a time.
var errBusy = errors.New("the host gets as many webhooks as it may already")

// enter takes a place of a host; an error says that there was none in time.
func (p *places) enter(ctx context.Context, host string) error {
	place := p.use(host)
	select {
	case place.taken <- struct{}{}:
		return nil
	default:
	}
	timer := time.NewTimer(placeWait)
	defer timer.Stop()
	select {
	case place.taken <- struct{}{}:
		return nil
	case <-timer.C:
		p.unuse(host)
		return &Again{After: placePause, Free: true, Err: errBusy}
	case <-ctx.Done():
		p.unuse(host)
		return ctx.Err()
	}
}

// leave gives a place back that enter took.
func (p *places) leave(host string) {
	p.mu.Lock()
	<-p.hosts[host].taken // at once: the place is ours
	p.mu.Unlock()
	p.unuse(host)
}

func (p *places) use(host string) *place {
	p.mu.Lock()
	defer p.mu.Unlock()
	found := p.hosts[host]
	if found == nil {
		found = &place{taken: make(chan struct{}, p.most)}
		p.hosts[host] = found
	}
	found.users++
	return found
}

func (p *places) unuse(host string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	found := p.hosts[host]
	if found.users--; found.users == 0 {
		delete(p.hosts, host)
	}
}
