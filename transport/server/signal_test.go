//go:build unix

package server_test

import (
	"syscall"
	"testing"

	"github.com/facet-rpc/facet/transport/server"
)

// The process's own signal stops the program.
func TestSignal(t *testing.T) {
	a, l := newApp(t), listen(t)
	served := make(chan error, 1)
	go func() { served <- server.Serve(t.Context(), l, a.engine, a.exec) }()
	c := dial(t, l.Addr().String())
	c.send(t, missing)
	c.answer(t) // it serves, so it has asked for signals
	if err := syscall.Kill(syscall.Getpid(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := <-served; err != nil {
		t.Error(err)
	}
	c.ended(t)
}
