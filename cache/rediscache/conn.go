package rediscache

import (
	"context"
	"crypto/tls"
	"net"
	"sync"
	"time"

	"github.com/redis/rueidis"
)

// greeting makes connections that are closed when the server says nothing for
// so long after they were made. rueidis itself waits a second longer for a
// server that does not answer its HELLO, and all callers with it.
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
		return &greeted{Conn: conn, silence: time.AfterFunc(timeout, func() { conn.Close() })}, nil
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
	silence *time.Timer
	heard   sync.Once
}

func (c *greeted) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.heard.Do(func() { c.silence.Stop() })
	return n, err
}

func (c *greeted) Close() error {
	c.silence.Stop()
	return c.Conn.Close()
}
