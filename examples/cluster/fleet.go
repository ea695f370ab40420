//go:build linux || darwin

package main

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
)

// fleet is the processes and the proxy in front of them.
type fleet struct {
	redis, dir string
	turn       atomic.Uint64
	transport  *http.Transport // of the proxy
	proxy      *http.Server
	proxyURL   string

	mu    sync.Mutex
	nodes []*node // nil: dead
}

// node is a running process.
type node struct {
	url   *url.URL
	cmd   *exec.Cmd
	stdin interface{ Close() error }
}

// startFleet starts n processes, then the proxy.
func startFleet(redis, dir string, n int) (*fleet, error) {
	f := &fleet{redis: redis, dir: dir, nodes: make([]*node, n), transport: new(http.Transport)}
	for i := range n {
		if err := f.start(i); err != nil {
			f.stop()
			return nil, err
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		f.stop()
		return nil, err
	}
	f.proxyURL = "http://" + l.Addr().String()
	f.proxy = &http.Server{Handler: &httputil.ReverseProxy{
		Rewrite:   func(r *httputil.ProxyRequest) { r.SetURL(f.next()) },
		Transport: f.transport,
		// A node that was killed: the client may ask again.
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
	}}
	go func() { _ = f.proxy.Serve(l) }()
	return f, nil
}

// start starts the process i: this program again.
func (f *fleet) start(i int) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	log, err := os.OpenFile(filepath.Join(f.dir, fmt.Sprintf("node-%d.log", i)), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }() // the process has it
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), nodeEnv+"="+f.redis, dirEnv+"="+f.dir)
	cmd.Stderr = log
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	address, parseErr := url.Parse(strings.TrimSpace(line))
	if err = errors.Join(err, parseErr); err != nil {
		_ = cmd.Process.Kill() // it may have ended by itself
		_ = cmd.Wait()
		said, _ := os.ReadFile(log.Name())
		return fmt.Errorf("node %d does not start: %w\n%s", i, err, said)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.nodes[i] = &node{address, cmd, stdin}
	return nil
}

// kill ends the process i as a crash does.
func (f *fleet) kill(i int) {
	f.mu.Lock()
	n := f.nodes[i]
	f.nodes[i] = nil
	f.mu.Unlock()
	if n != nil {
		_ = n.cmd.Process.Kill() // SIGKILL
		_ = n.cmd.Wait()
		_ = n.stdin.Close()
	}
}

// alive is the addresses of the running processes.
func (f *fleet) alive() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []string
	for _, n := range f.nodes {
		if n != nil {
			out = append(out, n.url.String())
		}
	}
	return out
}

// at is the address of the process i, or of the proxy when it is dead.
func (f *fleet) at(i int) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if n := f.nodes[i]; n != nil {
		return n.url.String()
	}
	return f.proxyURL
}

// next is the node whose turn it is.
func (f *fleet) next() *url.URL {
	f.mu.Lock()
	defer f.mu.Unlock()
	from := int(f.turn.Add(1))
	for i := range f.nodes {
		if n := f.nodes[(from+i)%len(f.nodes)]; n != nil {
			return n.url
		}
	}
	return &url.URL{Scheme: "http", Host: "127.0.0.1:1"} // nobody: a bad gateway
}

func (f *fleet) stop() {
	if f.proxy != nil {
		_ = f.proxy.Close() // nobody calls any more
	}
	f.transport.CloseIdleConnections()
	for i := range f.nodes {
		f.kill(i)
	}
}
