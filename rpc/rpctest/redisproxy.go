//go:build unix

package rpctest

import (
	"net"
	"sync"
	"testing"
	"time"
)

// RedisProxy is a connection to a [RedisServer] that can be made bad, for one
// of several clients. Its methods may be called from any goroutine and hold
// for open connections and new ones.
type RedisProxy struct {
	// URL is where it listens.
	URL string

	tb     testing.TB
	target string
	listen net.Listener
	all    sync.WaitGroup

	mu      sync.Mutex
	changed chan struct{} // closed when what follows changes
	delay   time.Duration // of each piece of an answer
	stalled bool
	garbage []byte
	conns   map[net.Conn]struct{}
	closed  bool
}

// Proxy starts a proxy that passes everything on. It ends with the test.
func (s *RedisServer) Proxy() *RedisProxy {
	s.tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		s.tb.Fatalf("rpctest: %v", err)
	}
	p := &RedisProxy{URL: "redis://" + l.Addr().String(), tb: s.tb, target: s.addr, listen: l,
		changed: make(chan struct{}), conns: map[net.Conn]struct{}{}}
	p.all.Go(p.accept)
	s.tb.Cleanup(p.close)
	return p
}

// Delay holds back each piece of an answer for d.
func (p *RedisProxy) Delay(d time.Duration) { p.change(func() { p.delay = d }) }

// Stall passes nothing on, as a network does that loses every packet; Pass
// sends what was held back.
func (p *RedisProxy) Stall() { p.change(func() { p.stalled = true }) }

// Garble answers with text instead of what Redis says.
func (p *RedisProxy) Garble(text string) { p.change(func() { p.garbage = []byte(text) }) }

// Pass makes the connection good again.
func (p *RedisProxy) Pass() {
	p.change(func() { p.delay, p.stalled, p.garbage = 0, false, nil })
}

// Cut closes the open connections. New ones can be made.
func (p *RedisProxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		_ = c.Close()
	}
}

func (p *RedisProxy) change(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f()
	close(p.changed)
	p.changed = make(chan struct{})
}

func (p *RedisProxy) accept() {
	for {
		client, err := p.listen.Accept()
		if err != nil {
			return // closed
		}
		server, err := net.Dial("tcp", p.target)
		if err != nil {
			_ = client.Close()
			continue
		}
		if !p.keep(client, server) {
			return
		}
		p.all.Go(func() { p.pump(server, client, false) })
		p.all.Go(func() { p.pump(client, server, true) })
	}
}

// keep notes connections that must be closed at the end.
func (p *RedisProxy) keep(conns ...net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range conns {
		if p.closed {
			_ = c.Close()
			continue
		}
		p.conns[c] = struct{}{}
	}
	return !p.closed
}

// pump copies from one side to the other, as good as it is told to.
func (p *RedisProxy) pump(to, from net.Conn, answers bool) {
	defer func() {
		_, _ = to.Close(), from.Close()
		p.mu.Lock()
		delete(p.conns, from)
		p.mu.Unlock()
	}()
	piece := make([]byte, 64<<10)
	for {
		n, err := from.Read(piece)
		if err != nil {
			return
		}
		out := piece[:n]
		if text := p.wait(answers); text != nil {
			out = text
		}
		if _, err := to.Write(out); err != nil {
			return
		}
	}
}

// wait returns when a piece may be passed on; text is what to send instead.
func (p *RedisProxy) wait(answers bool) (text []byte) {
	p.mu.Lock()
	delay := p.delay
	for p.stalled && !p.closed {
		changed := p.changed
		p.mu.Unlock()
		<-changed
		p.mu.Lock()
	}
	changed := p.changed
	if answers {
		text = p.garbage
	}
	p.mu.Unlock()
	if answers && delay > 0 {
		timer := time.NewTimer(delay)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-changed:
		}
	}
	return text
}

func (p *RedisProxy) close() {
	p.change(func() { p.closed = true })
	_ = p.listen.Close()
	p.Cut()
	p.all.Wait()
}
