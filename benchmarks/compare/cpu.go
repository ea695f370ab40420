package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"time"
)

// cpus says where server and loader run. Without two CPUs and taskset they are
// not held anywhere.
type cpus struct{ held bool }

// hold keeps this process on CPU 1, and what [cpus.server] runs on CPU 0.
func hold() cpus {
	if runtime.NumCPU() < 2 {
		return cpus{}
	}
	// All threads; later ones are made by these and stay there too.
	err := exec.Command("taskset", "-a", "-c", "-p", "1", strconv.Itoa(os.Getpid())).Run()
	if err != nil {
		return cpus{}
	}
	runtime.GOMAXPROCS(1)
	return cpus{true}
}

// server is what a server's command begins with.
func (c cpus) server() []string {
	if c.held {
		return []string{"taskset", "-c", "0"}
	}
	return nil
}

func (c cpus) String() string {
	if c.held {
		return "server on CPU 0, loader on CPU 1"
	}
	return "server and loader NOT held on a CPU each (that needs two CPUs and taskset): do not use these figures"
}

// tick is the unit of times in /proc, USER_HZ, the same on all platforms of Go.
const tick = 10 * time.Millisecond

// cpuTime is what a process has used, utime and stime of proc_pid_stat(5).
func cpuTime(pid int) (time.Duration, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, fmt.Errorf("CPU time is read from Linux's /proc: %w", err)
	}
	return parseStat(stat)
}

// parseStat reads fields 14 and 15. The second is the name in parentheses,
// which may hold anything.
func parseStat(stat []byte) (time.Duration, error) {
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 13 {
		return 0, errors.New("/proc/<pid>/stat has too few fields")
	}
	var ticks int64
	for _, f := range fields[11:13] {
		n, err := strconv.ParseInt(string(f), 10, 64)
		if err != nil {
			return 0, err
		}
		ticks += n
	}
	return time.Duration(ticks) * tick, nil
}
