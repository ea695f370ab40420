package guard

import (
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/zap"
)

// R-S04: many callers cost bounded memory, and who stays away is forgotten
// once its bucket is full, not before.
func TestRateMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var f faults
		m := Policy{Rate: Rate{PerSecond: 1, Burst: 10}}.checkRate(zap.NewNop(), &f)
		for i := range 3 * maxCallers {
			m.charge(account{id: strconv.Itoa(i)}, 1)
			if n := len(m.young) + len(m.old); n > 2*maxCallers {
				t.Fatalf("%d callers remembered", n)
			}
		}
		time.Sleep(time.Hour)
		m.charge(account{id: "b"}, 1)
		time.Sleep(5 * time.Second)
		m.charge(account{id: "a"}, 10)
		time.Sleep(9 * time.Second)
		for range 3 { // the others' calls do not make it forget a
			m.charge(account{id: "b"}, 1)
		}
		if len(m.young) != 1 || len(m.old) != 2 {
			t.Errorf("remembered: %v and %v, want b, and a and b", m.young, m.old)
		}
		if wait := m.charge(account{id: "a"}, 10); wait != time.Second {
			t.Errorf("wait %v, want 1s", wait)
		}
		for range 2 {
			time.Sleep(time.Minute)
			m.charge(account{id: "b"}, 1)
		}
		if len(m.young) != 1 || len(m.old) != 1 {
			t.Errorf("remembered: %v and %v, want b", m.young, m.old)
		}
	})
}
