package rediscache

import (
	"context"
	"crypto/tls"
	"net"
	"sync"
	"time"

	"github.com/redis/rueidis"
)

// greeting makes connections that are closed when the server has said nothing
// before the time of the call that needed them is over, or the timeout. rueidis
// would say goodbye to a silent server first and wait a second for the answer,
// and all callers with it.
func greeting(o rueidis.ClientOption, timeout time.Duration) func(context.Context, string, *net.Dialer, *tls.Config) (net.Conn, error) {
	dial := o.DialCtxFn
	if dial == nil && o.DialFn != nil {
		dial = func(_ context.Context, addr string, d *net.Dialer, t *tls.Config) (net.Conn, error) {
			return o.DialFn(addr, d, t)
		}
	}
	if dial == nil {
		dial = dialTCP
	}
	return func(ctx context.Context, addr string, d *net.Dialer, t *tls.Config) (net.Conn, error) {
		conn, err := dial(ctx, addr, d, t)
		if err != nil {
			return nil, err
		}
		hangUp := func() { _ = conn.Close() }
		late, gone := time.AfterFunc(timeout, hangUp), context.AfterFunc(ctx, hangUp)
		return &greeted{Conn: conn, heard: sync.OnceFunc(func() {
			late.Stop()
			gone()
		})}, nil
	}
}

func dialTCP(ctx context.Context, addr string, d *net.Dialer, t *tls.Config) (net.Conn, error) {
	if t != nil {
		return (&tls.Dialer{NetDialer: d, Config: t}).DialContext(ctx, "tcp", addr)
	}
	return d.DialContext(ctx, "tcp", addr)
}

// greeted is a connection that waits for its first answer.
type greeted struct {
	net.Conn
	heard func()
}

func (c *greeted) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.heard()
	return n, err
}

func (c *greeted) Close() error {
	c.heard()
	return c.Conn.Close()
}
