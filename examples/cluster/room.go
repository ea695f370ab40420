//go:build linux || darwin

package main

import (
	"errors"
	"os"
	"sync"
	"syscall"
)

// errTwo means that somebody else is in the room.
var errTwo = errors.New("two at once")

// enter is the referee of the locks: a file that the kernel locks for one open
// file at a time, whatever process it is in, and frees when the process dies.
// Who finds it taken has met a second holder.
func enter(room string) (leave func(), err error) {
	file, err := os.OpenFile(room, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err != nil {
		_ = file.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, errTwo
		}
		return nil, err
	}
	return sync.OnceFunc(func() { _ = file.Close() }), nil
}
