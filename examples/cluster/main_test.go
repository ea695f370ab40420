//go:build linux || darwin

package main

import (
	"bytes"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/facet-rpc/facet/rpc/rpctest"
	"go.uber.org/goleak"
)

// TestMain makes the test binary a node or a holder where it is started as one.
func TestMain(m *testing.M) {
	var err error
	switch {
	case os.Getenv(nodeEnv) != "":
		err = serveNode(untilInputEnds())
	case os.Getenv(holderEnv) != "":
		err = hold(untilInputEnds())
	default:
		// rueidis sleeps a second in this one after it could not connect.
		goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/redis/rueidis.(*call).DelayDo.func1"))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// long tells that the tests have time: FACET_LONG=1.
func long() bool { return os.Getenv("FACET_LONG") == "1" }

// TestCluster is the program's proof in short.
func TestCluster(t *testing.T) { // R-L03, R-K03, R-K04, R-M12; cases I11, E14
	redis := rpctest.Redis(t)
	set := settings{nodes: 3, load: 4 * time.Second}
	if long() {
		set.load = time.Minute
	}
	result, err := prove(t.Context(), set, redis.URL, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var table bytes.Buffer
	if err := result.print(&table); err != nil {
		t.Error(err)
	}
	t.Logf("\n%s", &table)
}

// TestReport: what does not hold is an error that says so.
func TestReport(t *testing.T) {
	r := new(report)
	r.add("kills", 3, "", true)
	r.add("holders", 2, "1", false)
	var table bytes.Buffer
	if err := r.print(&table); err == nil || err.Error() != "holders: 2, must be 1" {
		t.Errorf("got the error %v", err)
	}
	want := "kills     3       \nholders   2   1   DOES NOT HOLD\n"
	if table.String() != want {
		t.Errorf("got\n%q, want\n%q", table.String(), want)
	}
}
