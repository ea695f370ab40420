//go:build unix

package benchmarks_test

import (
	"syscall"
	"time"
)

// cpuTime is what this process has used, getrusage(2).
func cpuTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
