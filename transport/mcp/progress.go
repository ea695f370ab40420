package mcp

import (
	"context"
	"math"
	"net/http"
	"strconv"
	"sync"
)

// mostSteps is how much progress waits for a client that reads slowly; beyond
// it the oldest is dropped.
const mostSteps = 32

// progress sends what a method tells with [rpc.Progress] while it runs, as
// events before the answer (2026-07-28, patterns, progress). The first one
// opens the stream, so that a call without progress is answered as any other.
// Events are written on a goroutine of their own: a slow reader holds up
// neither the method nor the locks it has.
type progress struct {
	w       http.ResponseWriter
	token   []byte          // raw
	message bool            // the version knows of messages
	ctx     context.Context // of the call: nothing more is sent once it was cancelled

	mu     sync.Mutex
	last   float64
	told   bool // last counts
	steps  []step
	closed bool
	wake   chan struct{} // nil: the stream is not open
	done   chan struct{} // closed when nothing is written any more
}

type step struct {
	done, total float64
	message     string
}

// report takes progress, which may only rise; the rest is ignored.
func (p *progress) report(done, total float64, message string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || !finite(done) || p.told && done <= p.last {
		return
	}
	p.last, p.told = done, true
	if len(p.steps) == mostSteps {
		p.steps = append(p.steps[:0], p.steps[1:]...)
	}
	p.steps = append(p.steps, step{done, total, message})
	if p.wake == nil {
		p.wake, p.done = make(chan struct{}, 1), make(chan struct{})
		go p.write()
		return
	}
	p.signal()
}

// signal tells the writer that something is new, with p.mu held.
func (p *progress) signal() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// close returns when all progress was written; open says that the answer
// belongs on the stream. It may be called again.
func (p *progress) close() (open bool) {
	p.mu.Lock()
	p.closed = true
	open = p.wake != nil
	if open {
		p.signal()
	}
	p.mu.Unlock()
	if open {
		<-p.done
	}
	return open
}

// write sends steps until the call has ended.
func (p *progress) write() {
	defer close(p.done)
	openStream(p.w)
	for {
		p.mu.Lock()
		steps, closed := p.steps, p.closed
		p.steps = nil
		p.mu.Unlock()
		for _, s := range steps {
			if context.Cause(p.ctx) == errCancelled || writeEvent(p.w, s.notification(p)) != nil {
				p.giveUp()
				return
			}
		}
		if len(steps) > 0 {
			continue
		}
		if closed {
			return
		}
		<-p.wake
	}
}

// giveUp ends the progress of a client that has gone or wants none any more.
func (p *progress) giveUp() {
	p.mu.Lock()
	p.closed, p.steps = true, nil
	p.mu.Unlock()
}

// notification is notifications/progress for a step.
func (s step) notification(p *progress) []byte {
	out := append([]byte(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":`), p.token...)
	out = appendFloat(append(out, `,"progress":`...), s.done)
	if s.total != 0 && finite(s.total) {
		out = appendFloat(append(out, `,"total":`...), s.total)
	}
	if s.message != "" && p.message {
		out = appendString(append(out, `,"message":`...), s.message)
	}
	return append(out, "}}"...)
}

func finite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

// appendFloat appends a finite number as JSON.
func appendFloat(out []byte, f float64) []byte {
	format := byte('f')
	if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e21) {
		format = 'e'
	}
	return strconv.AppendFloat(out, f, format, -1, 64)
}

// watch lets the turn's tools/call tell its progress, if the client asked for
// it and takes a stream; nil otherwise.
func (a *answer) watch() *progress {
	t := a.turn
	if token := t.params.meta.progress; token == nil || !a.takesStream || !isToken(token) {
		return nil
	}
	p := &progress{w: a.w, token: t.params.meta.progress, message: t.version >= v20250326}
	t.progress = p
	return p
}
