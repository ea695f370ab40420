//go:build unix

package rpctest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// RedisServer is a real Redis of one test, made by [Redis]: on a loopback port
// of its own, with its data in a folder of the test. Its methods are for the
// goroutine of the test, as tb.Fatal is.
type RedisServer struct {
	// URL is where it listens, such as redis://127.0.0.1:40123. It stays the
	// same when the server is started again.
	URL string

	tb      testing.TB
	program string
	addr    string
	dir     string
	process *exec.Cmd
	log     *bytes.Buffer
	ended   chan struct{} // closed when the process has ended
}

// startTime is how long a server may take to answer.
const startTime = 10 * time.Second

// Redis starts redis-server from the PATH and waits until it answers; it is
// stopped with the test. Each write is on disk before it is answered
// (appendonly yes, appendfsync always), so that nothing acknowledged is lost
// by Kill. Without the program the test is skipped, or fails where FACET_CI=1
// says that nothing may be left out.
func Redis(tb testing.TB) *RedisServer {
	tb.Helper()
	program, err := exec.LookPath("redis-server")
	if err != nil {
		if os.Getenv("FACET_CI") == "1" {
			tb.Fatalf("rpctest: redis-server is not in the PATH: %v", err)
		}
		tb.Skip("rpctest: redis-server is not in the PATH; install Redis 7 to run this test")
	}
	s := &RedisServer{tb: tb, program: program, dir: tb.TempDir()}
	tb.Cleanup(s.stop)
	// Between finding a free port and Redis taking it, somebody else may.
	for range 5 {
		s.addr = freeAddr(tb)
		if err = s.run(); err == nil {
			s.URL = "redis://" + s.addr
			return s
		}
	}
	tb.Fatalf("rpctest: %v", err)
	return nil
}

// Start starts the server again after Kill, on the same port and data.
func (s *RedisServer) Start() {
	s.tb.Helper()
	if s.process != nil {
		s.tb.Fatal("rpctest: Redis is running; Kill it before Start")
	}
	if err := s.run(); err != nil {
		s.tb.Fatalf("rpctest: %v", err)
	}
}

// Kill ends the server at once (SIGKILL), as a crash does.
func (s *RedisServer) Kill() {
	s.tb.Helper()
	s.signal(syscall.SIGKILL)
	<-s.ended
	s.process = nil
}

// Pause freezes the server (SIGSTOP): connections stay and nothing is answered.
func (s *RedisServer) Pause() {
	s.tb.Helper()
	s.signal(syscall.SIGSTOP)
	stat := fmt.Sprintf("/proc/%d/stat", s.process.Process.Pid)
	again := time.NewTicker(time.Millisecond)
	defer again.Stop()
	for end := time.Now().Add(startTime); time.Now().Before(end); <-again.C {
		// A thread that the system works for stops only when that is done.
		text, err := os.ReadFile(stat)
		if err != nil || bytes.Contains(text, []byte(") T ")) {
			return // frozen, or a system that does not tell
		}
	}
	s.tb.Fatal("rpctest: Redis does not stop")
}

// Resume lets a paused server go on (SIGCONT); it then answers what it was sent.
func (s *RedisServer) Resume() {
	s.tb.Helper()
	s.signal(syscall.SIGCONT)
}

func (s *RedisServer) signal(sig os.Signal) {
	s.tb.Helper()
	if s.process == nil {
		s.tb.Fatal("rpctest: Redis is not running; Start it first")
	}
	if err := s.process.Process.Signal(sig); err != nil {
		s.tb.Fatalf("rpctest: signal %v to Redis: %v", sig, err)
	}
}

// run starts the process and waits for its answer.
func (s *RedisServer) run() error {
	_, port, err := net.SplitHostPort(s.addr)
	if err != nil {
		return err
	}
	s.log = new(bytes.Buffer)
	cmd := exec.Command(s.program, "--bind", "127.0.0.1", "--port", port, "--dir", s.dir,
		"--appendonly", "yes", "--appendfsync", "always", "--save", "", "--daemonize", "no")
	cmd.Stdout, cmd.Stderr = s.log, s.log
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", s.program, err)
	}
	s.process, s.ended = cmd, make(chan struct{})
	go func(ended chan<- struct{}) {
		_ = cmd.Wait() // killed, mostly
		close(ended)
	}(s.ended)
	if err := s.answers(); err != nil {
		s.stop()
		return fmt.Errorf("redis-server on %s: %w\n%s", s.addr, err, s.log)
	}
	return nil
}

// answers connects until Redis says PONG, which it does once its data is loaded.
func (s *RedisServer) answers() error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.tb.Context()), startTime)
	defer cancel()
	again := time.NewTicker(5 * time.Millisecond)
	defer again.Stop()
	for {
		err := ping(ctx, s.addr)
		if err == nil {
			return nil
		}
		select {
		case <-s.ended:
			return errors.New("it ended before it answered")
		case <-ctx.Done():
			return fmt.Errorf("no answer within %v: %w", startTime, err)
		case <-again.C:
		}
	}
}

func ping(ctx context.Context, addr string) error {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	if err := conn.SetDeadline(time.Now().Add(time.Second)); err != nil {
		return err
	}
	if _, err := conn.Write([]byte("PING\r\n")); err != nil {
		return err
	}
	answer := make([]byte, 64)
	n, err := conn.Read(answer)
	if err != nil {
		return err
	}
	if got := string(answer[:n]); !strings.HasPrefix(got, "+PONG") {
		return fmt.Errorf("it answers %q to PING", got)
	}
	return nil
}

// stop ends the process if there is one, paused or not.
func (s *RedisServer) stop() {
	if s.process == nil {
		return
	}
	_ = s.process.Process.Kill() // it may have ended by itself
	<-s.ended
	s.process = nil
}

func freeAddr(tb testing.TB) string {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatalf("rpctest: %v", err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}
