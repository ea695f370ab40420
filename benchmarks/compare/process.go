package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/facet-rpc/facet/benchmarks/load"
	"github.com/facet-rpc/facet/benchmarks/peer"
)

// process is a server that runs by itself.
type process struct {
	peer  peer.Server
	cmd   *exec.Cmd
	conns []*load.Conn
}

// start runs this same program as a server, on the CPU given, and connects to
// it. It ends with ctx.
func start(ctx context.Context, p peer.Server, m load.Mode, cpus cpus, profiles string) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	args := append(cpus.server(), self, "-serve", p.Name,
		"-services", strconv.Itoa(m.Size.Services), "-tools", strconv.Itoa(m.Size.Tools))
	if profiles != "" {
		name := strings.ReplaceAll(p.Name, "/", "-") + "." + m.Name + ".out"
		args = append(args, "-cpuprofile", filepath.Join(profiles, name))
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &process{peer: p, cmd: cmd}
	addr, err := bufio.NewReader(out).ReadString('\n')
	if err == nil {
		err = s.connect(strings.TrimSpace(addr), m)
	}
	if err != nil {
		s.stop()
		return nil, fmt.Errorf("%s did not start: %w", p.Name, err)
	}
	return s, nil
}

func (s *process) connect(addr string, m load.Mode) error {
	exchanges, err := load.InSession(addr, s.peer, m)
	if err != nil {
		return err
	}
	for i := range m.Connections {
		c, err := load.Dial(addr, exchanges, i*len(exchanges)/m.Connections)
		if err != nil {
			return err
		}
		s.conns = append(s.conns, c)
	}
	return nil
}

func (s *process) stop() {
	for _, c := range s.conns {
		_ = c.Close()
	}
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	_ = s.cmd.Wait()
}
