//go:build linux || darwin

package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/facet-rpc/facet/lock/redislock"
	"github.com/facet-rpc/facet/rpc/rpctest"
	"github.com/redis/rueidis"
)

// holderEnv holds the URL of Redis and makes the test binary a process of
// holders.
const holderEnv = "FACET_CLUSTER_HOLDER"

const (
	holderGoroutines = 200
	passed, two      = 'p', 'T' // what a holder says
)

// hold lets many goroutines want one lock, and says each time that one had it.
func hold(ctx context.Context) error {
	option, err := rueidis.ParseURL(os.Getenv(holderEnv))
	if err != nil {
		return err
	}
	var locks *redislock.Locker
	for locks == nil && ctx.Err() == nil { // Redis may be away
		if locks, err = redislock.New(redislock.Options{Redis: option, TTL: lockTTL}); err != nil {
			pause(ctx, 50*time.Millisecond)
		}
	}
	if locks == nil {
		return ctx.Err()
	}
	defer locks.Close()
	room := filepath.Join(os.Getenv(dirEnv), "room")
	var all sync.WaitGroup
	for range holderGoroutines {
		all.Go(func() {
			for ctx.Err() == nil {
				lease, free, held, err := locks.Lock(ctx, "one", 2*time.Second, 0)
				if held && err == nil {
					visit(lease, room)
					free()
				}
			}
		})
	}
	all.Wait()
	return nil
}

// visit is in the room until the work is done or the lease ends.
func visit(lease context.Context, room string) {
	if lease.Err() != nil {
		return
	}
	leave, err := enter(room)
	switch {
	case errors.Is(err, errTwo):
		_, _ = os.Stdout.Write([]byte{two})
		return
	case err != nil:
		panic(err)
	}
	defer leave()
	defer context.AfterFunc(lease, leave)()
	_, _ = os.Stdout.Write([]byte{passed})
	pause(lease, time.Duration(rand.IntN(2000))*time.Microsecond)
}

// holders is one process of holders.
type holders struct {
	cmd   *exec.Cmd
	stdin io.Closer
	read  sync.WaitGroup
}

// TestExclusion: 200 callers in each of 3 processes want one key, while
// processes are killed and Redis is killed and started again. By their leases
// there are never two at once, and no lock stays.
func TestExclusion(t *testing.T) { // R-L02, R-L03; case I07
	duration := 9 * time.Second
	if long() {
		duration = 2 * time.Minute
	}
	redis := rpctest.Redis(t)
	dir := t.TempDir()
	var passes, twos atomic.Int64
	start := func() *holders { return startHolders(t, redis.URL, dir, &passes, &twos) }
	processes := []*holders{start(), start(), start()}
	kills, restarts := 0, 0
	for began := time.Now(); time.Since(began) < duration; {
		pause(t.Context(), time.Duration(300+rand.IntN(500))*time.Millisecond)
		if rand.IntN(4) == 0 {
			redis.Kill()
			pause(t.Context(), time.Duration(rand.IntN(300))*time.Millisecond)
			redis.Start()
			restarts++
			continue
		}
		i := rand.IntN(len(processes))
		processes[i].kill()
		processes[i] = start()
		kills++
	}
	before := passes.Load()
	for began := time.Now(); passes.Load() < before+20; pause(t.Context(), 10*time.Millisecond) {
		if time.Since(began) > 15*time.Second {
			t.Fatal("nobody gets the lock any more")
		}
	}
	for _, p := range processes {
		p.kill()
	}
	pause(t.Context(), lockTTL+lockTTL/4)
	noLocks(t, redis.URL)
	t.Logf("%d passed, %d processes and %d times Redis killed", passes.Load(), kills, restarts)
	if n := twos.Load(); n > 0 {
		t.Errorf("two holders at once, %d times", n)
	}
}

// startHolders starts a process and counts what it says.
func startHolders(t *testing.T, redis, dir string, passes, twos *atomic.Int64) *holders {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	h := &holders{cmd: exec.Command(program)}
	h.cmd.Env = append(os.Environ(), holderEnv+"="+redis, dirEnv+"="+dir)
	h.cmd.Stderr = os.Stderr
	out, outEnd, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	h.cmd.Stdout = outEnd
	if h.stdin, err = h.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := h.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = outEnd.Close()
	h.read.Go(func() {
		defer out.Close()
		for said := bufio.NewReader(out); ; {
			switch b, err := said.ReadByte(); {
			case err != nil:
				return // killed
			case b == passed:
				passes.Add(1)
			case b == two:
				twos.Add(1)
			}
		}
	})
	t.Cleanup(h.kill)
	return h
}

// kill ends the process as a crash does.
func (h *holders) kill() {
	if h.cmd.ProcessState != nil {
		return
	}
	_ = h.cmd.Process.Kill()
	_ = h.cmd.Wait()
	_ = h.stdin.Close()
	h.read.Wait()
}

// noLocks wants that no lock is left in Redis and that the key can be had.
func noLocks(t *testing.T, url string) {
	t.Helper()
	db, err := connect(url)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	keys, err := db.Do(t.Context(), db.B().Keys().Pattern("facet:lock:*").Build()).AsStrSlice()
	if err != nil || len(keys) > 0 {
		t.Errorf("locks that are left a TTL after their processes: %q, %v", keys, err)
	}
	locks, err := redislock.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer locks.Close()
	_, free, held, err := locks.Lock(t.Context(), "one", 0, 0)
	if !held || err != nil {
		t.Fatalf("Lock = %t, %v; want the lock", held, err)
	}
	free()
}
