package rpc_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/facet-rpc/facet/lock"
	"github.com/facet-rpc/facet/rpc"
)

var _ rpc.Locker = (*lock.Local)(nil)

// R-L01: calls on the same value exclude each other; names may be shared
// between methods; a call waits as long as it may and then fails with -32400.
func TestLock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		type order struct {
			Order struct {
				ID int `json:"id"`
			} `json:"order"`
			Note *string `json:"note"`
		}
		work := func(order) { time.Sleep(time.Minute) }
		quick := func(order) int { return 1 }
		p := start(t, rpc.Options{Locker: new(lock.Local)},
			rpc.Method{Name: "pay", Func: work, Lock: rpc.Lock{Name: "order", On: "/order/id", Hold: time.Hour}},
			rpc.Method{Name: "cancel", Func: quick, Lock: rpc.Lock{Name: "order", On: "/order/id"}},
			rpc.Method{Name: "wait", Func: quick, Lock: rpc.Lock{Name: "order", On: "/order/id", Wait: 2 * time.Minute}},
			rpc.Method{Name: "short", Func: quick, Lock: rpc.Lock{Name: "order", On: "/order/id", Wait: 10 * time.Second}},
			rpc.Method{Name: "other", Func: quick, Lock: rpc.Lock{On: "/order/id"}},
			rpc.Method{Name: "note", Func: quick, Lock: rpc.Lock{On: "note"}},
		)
		go p.run("pay", `{"order":{"id":7}}`)
		synctest.Wait()
		locked := `{"code":-32400,"message":"Method \"S.cancel\" is locked.","data":{"exception":"Locked"}}`
		if got := p.run("cancel", `{"order":{"id":7}}`); got != locked {
			t.Errorf("held: got %s", got)
		}
		for _, tt := range []struct{ method, params string }{
			{"cancel", `{"order":{"id":8}}`}, {"other", `{"order":{"id":7}}`}, {"note", `{"order":{"id":7}}`}, {"note", `{"order":{"id":7},"note":"x"}`},
		} {
			if got := p.run(tt.method, tt.params); got != "1" {
				t.Errorf("%s %s: got %s", tt.method, tt.params, got)
			}
		}
		began := time.Now()
		if got := p.run("short", `{"order":{"id":7}}`); !strings.Contains(got, "Locked") || time.Since(began) != 10*time.Second {
			t.Errorf("short wait: got %s after %v", got, time.Since(began))
		}
		if got := p.run("wait", `{"order":{"id":7}}`); got != "1" || time.Since(began) != time.Minute {
			t.Errorf("long wait: got %s after %v", got, time.Since(began))
		}
	})
}

// R-L02: the lease ends the method's context, and the lock is freed only when
// the method has returned.
func TestLease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := start(t, rpc.Options{Locker: new(lock.Local)},
			rpc.Method{Name: "long", Lock: rpc.Lock{Name: "l", On: "key", Hold: 10 * time.Second}, Func: func(ctx context.Context, _ key) error {
				<-ctx.Done()
				time.Sleep(5 * time.Second) // cleaning up
				return ctx.Err()
			}},
			rpc.Method{Name: "next", Lock: rpc.Lock{Name: "l", On: "key", Wait: time.Minute}, Func: func(key) int { return 1 }})
		answer := make(chan string, 1)
		go func() { answer <- p.run("long", `{"key":"k"}`) }()
		synctest.Wait()
		began := time.Now()
		if got := p.run("next", `{"key":"k"}`); got != "1" || time.Since(began) != 15*time.Second {
			t.Errorf("next: got %s after %v", got, time.Since(began))
		}
		if got := <-answer; !strings.Contains(got, `"code":-32503`) {
			t.Errorf("a lost lease: got %s", got)
		}
	})
}

// case I09 (blnkfinance/blnk#355, kalbasit/ncps#913): the lock is freed when the call was cancelled or timed out while
// it held it or waited for it.
func TestLockAfterCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := start(t, rpc.Options{Locker: new(lock.Local)},
			rpc.Method{Name: "hold", Lock: rpc.Lock{On: "key", Wait: time.Hour}, Func: func(ctx context.Context, k key) (string, error) {
				if k.Key != "k" {
					return "", nil
				}
				<-ctx.Done()
				return "", ctx.Err()
			}})
		ctx, cancel := context.WithCancel(t.Context())
		answers := make(chan string, 2)
		for range 2 {
			go func() { answers <- p.do(ctx, p.call("hold", `{"key":"k"}`)) }()
		}
		synctest.Wait()
		cancel()
		for range 2 {
			if got := <-answers; !strings.Contains(got, "Canceled") {
				t.Errorf("got %s", got)
			}
		}
		ctx, cancel = context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		p.do(ctx, p.call("hold", `{"key":"k"}`)) // holds until its context ends
		if time.Since(began) != time.Second {
			t.Errorf("the third call took %v: did it get the lock?", time.Since(began))
		}
		if got := p.run("hold", `{"key":"free"}`); got != `""` {
			t.Errorf("another key: got %s", got)
		}
	})
}

// R-L03: a backend that is down is told apart from a held lock.
func TestBrokenLocker(t *testing.T) {
	ran := false
	p := start(t, rpc.Options{Locker: broken{}}, rpc.Method{Name: "get", Func: func(key) { ran = true }, Lock: rpc.Lock{On: "key"}})
	if got := p.run("get", `{"key":"k"}`); !strings.Contains(got, `"code":-32503`) || ran {
		t.Errorf("got %s, method ran: %v", got, ran)
	}
}

// R-L02 case I09 (alextanhongpin/core#12): the lock is freed at once after an
// error, a panic and a timeout.
func TestLockAfterFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := start(t, rpc.Options{Locker: new(lock.Local)}, rpc.Method{
			Name: "do", Lock: rpc.Lock{Name: "l"}, Timeout: time.Second,
			Func: func(ctx context.Context, k key) (string, error) {
				switch k.Key {
				case "error":
					return "", soldOut.New(struct{}{})
				case "panic":
					panic("x")
				case "timeout":
					<-ctx.Done()
					return "", ctx.Err()
				}
				return k.Key, nil
			},
		})
		for how, kind := range map[string]string{"error": "SoldOut", "panic": "Internal", "timeout": "Timeout"} {
			if got := p.kind("do", `{"key":"`+how+`"}`); got != kind {
				t.Errorf("%s: got %s", how, got)
			}
			if got := p.run("do", `{"key":"next"}`); got != `"next"` {
				t.Errorf("after %s: got %s", how, got)
			}
		}
	})
}
