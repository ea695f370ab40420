//go:build race

package server_test

// Pools lose things by chance under the race detector, so allocations say nothing.
const raceEnabled = true
