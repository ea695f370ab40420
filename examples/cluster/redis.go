//go:build linux || darwin

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"time"

	"github.com/redis/rueidis"
)

// redisServer is a Redis of this program's own.
type redisServer struct {
	url string
	cmd *exec.Cmd
	log bytes.Buffer
}

// startRedis starts redis-server on a free port and waits until it answers.
// Each write is on disk before it is answered: what a lock or an idempotency
// key needs to outlive a restart.
func startRedis(ctx context.Context, dir string) (*redisServer, error) {
	program, err := exec.LookPath("redis-server")
	if err != nil {
		return nil, errors.New("redis-server is not in the PATH; install Redis 7 (apt install redis-server, brew install redis) and try again")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	addr := l.Addr().String()
	_ = l.Close() // Redis takes the port
	_, port, _ := net.SplitHostPort(addr)
	r := &redisServer{url: "redis://" + addr}
	r.cmd = exec.Command(program, "--bind", "127.0.0.1", "--port", port, "--dir", dir,
		"--appendonly", "yes", "--appendfsync", "always", "--save", "")
	r.cmd.Stdout, r.cmd.Stderr = &r.log, &r.log
	if err := r.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start redis-server: %w", err)
	}
	for began := time.Now(); ; {
		client, err := connect(r.url)
		if err == nil {
			client.Close()
			return r, nil
		}
		if ctx.Err() != nil || time.Since(began) > 10*time.Second {
			r.stop()
			return nil, fmt.Errorf("redis-server does not answer: %w\n%s", err, r.log.String())
		}
		pause(ctx, 20*time.Millisecond)
	}
}

func (r *redisServer) stop() {
	_ = r.cmd.Process.Kill() // it may have ended by itself
	_ = r.cmd.Wait()
}

// connect is a plain client of Redis, for data that is not Facet's.
func connect(url string) (rueidis.Client, error) {
	option, err := rueidis.ParseURL(url)
	if err != nil {
		return nil, err
	}
	option.DisableCache = true
	return rueidis.NewClient(option)
}

// pause waits for d, or until ctx ends.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
