//go:build !unix

package benchmarks_test

import "time"

// cpuTime is not known here.
func cpuTime() time.Duration { return 0 }
