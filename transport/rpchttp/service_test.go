package rpchttp_test

import (
	"context"
	stderrors "errors"
	"math"
	"runtime"
	"strings"
	"sync/atomic"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc"
)

// T is what the tests call.
type T struct {
	ran     atomic.Int64  // calls of methods that count themselves
	began   chan struct{} // a call of Wait has begun
	ended   chan error    // what ended it
	release chan struct{} // closed: calls of Hold return
	later   func(context.Context)
}

func newT() *T {
	return &T{began: make(chan struct{}, 1000), ended: make(chan error, 1000), release: make(chan struct{})}
}

type text struct {
	Text string `json:"text"`
}

type pair struct {
	A int `json:"a"`
	B int `json:"b"`
}

type number struct {
	N int `json:"n"`
}

type greeting struct {
	Name     string `json:"name"`
	Greeting string `json:"greeting" default:"Hello"`
}

type line struct {
	SKU string `json:"sku"`
	Qty int    `json:"qty"`
}

type order struct {
	Line line `json:"line"`
}

type size struct {
	Bytes int `json:"bytes"`
}

type node struct {
	Next *node `json:"next"`
}

// Ping is not the built-in.
func (t *T) Ping() string { return "pong" }

// Count counts itself.
func (t *T) Count() int64 { return t.ran.Add(1) }

// Mark counts itself and has no result.
func (t *T) Mark() { t.ran.Add(1) }

// Echo answers its text.
func (t *T) Echo(p text) string { return p.Text }

// Add answers the sum.
func (t *T) Add(p pair) int { return p.A + p.B }

// Sq answers the square.
func (t *T) Sq(p number) int { t.ran.Add(1); return p.N * p.N }

// Greet has an optional parameter.
func (t *T) Greet(p greeting) string { return p.Greeting + " " + p.Name }

// Place has one parameter that is an object.
func (t *T) Place(p order) int { return p.Line.Qty }

// Lost fails with a declared error.
func (t *T) Lost() error { return rpcerrors.NotFound.New("No such thing.") }

// Broken fails with an error of its own.
func (t *T) Broken() error { return stderrors.New("the disk is full") }

// Panics panics.
func (t *T) Panics() int { panic("boom") }

// Nan answers what JSON does not have.
func (t *T) Nan() float64 { return math.NaN() }

// Cycle answers what never ends.
func (t *T) Cycle() *node {
	n := new(node)
	n.Next = n
	return n
}

// Bomb answers a value that panics in MarshalJSON.
func (t *T) Bomb() bomb { return bomb{armed: true} }

// Invalid answers bytes that are no UTF-8.
func (t *T) Invalid() string { return "a\xffb" }

// Big answers a string of so many bytes.
func (t *T) Big(p size) string { return strings.Repeat("x", p.Bytes) }

// Heap answers how many bytes are alive.
func (t *T) Heap() uint64 {
	runtime.GC()
	runtime.GC() // what a sync.Pool keeps lives for one more
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// Wait lasts until its context ends.
func (t *T) Wait(ctx context.Context) error {
	t.began <- struct{}{}
	<-ctx.Done()
	t.ended <- ctx.Err()
	return ctx.Err()
}

// Hold lasts until it is released.
func (t *T) Hold(ctx context.Context) string {
	t.began <- struct{}{}
	<-t.release
	return rpc.CallFrom(ctx).Method
}

// Later uses its context when the call is over.
func (t *T) Later(ctx context.Context) { t.later(ctx) }

// Goexit lets calls of Hold return and ends its goroutine.
func (t *T) Goexit() {
	close(t.release)
	runtime.Goexit()
}

// RPC publishes what version 2 adds as well.
func (t *T) RPC() rpc.Service {
	return rpc.Service{Methods: []rpc.Method{
		{Func: t.Ping}, {Func: t.Count}, {Func: t.Mark}, {Func: t.Echo}, {Func: t.Add}, {Func: t.Sq}, {Func: t.Greet},
		{Func: t.Place}, {Func: t.Lost}, {Func: t.Broken}, {Func: t.Panics}, {Func: t.Nan}, {Func: t.Cycle}, {Func: t.Bomb},
		{Func: t.Invalid}, {Func: t.Big}, {Func: t.Heap}, {Func: t.Wait}, {Func: t.Hold}, {Func: t.Later}, {Func: t.Goexit},
		{Func: t.Ping, Name: "newer", Since: 2},
	}}
}

// bomb is a result that fails while it is encoded.
type bomb struct{ armed bool }

func (b bomb) MarshalJSON() ([]byte, error) {
	if b.armed {
		panic("bomb")
	}
	return []byte(`"defused"`), nil
}

func (b *bomb) UnmarshalJSON([]byte) error { return nil }

// Pub has a method everybody may call.
type Pub struct{ ran atomic.Int64 }

// A counts itself.
func (p *Pub) A() int64 { return p.ran.Add(1) }

// Adm has a method that nothing here may call.
type Adm struct{ ran atomic.Int64 }

// B counts itself.
func (a *Adm) B() int64 { return a.ran.Add(1) }
