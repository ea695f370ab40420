//go:build !race

package params_test

const raceEnabled = false
