//go:build race

package params_test

const raceEnabled = true
