package rpctest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/rpc/rpctest"
)

// recorder is a test that only notes its failures.
type recorder struct {
	testing.TB
	said []string
}

func (r *recorder) Errorf(format string, args ...any) {
	r.said = append(r.said, fmt.Sprintf(format, args...))
}

// ledger has examples that come out and examples that do not.
type ledger struct{ total int }

type entryParams struct {
	Amount int           `json:"amount"`
	After  time.Duration `json:"after,omitzero"`
}

func (l *ledger) Enter(p entryParams) (int, error) {
	if p.Amount < 0 {
		return 0, SoldOut.New(Left{})
	}
	l.total += p.Amount
	return l.total, nil
}

func (l *ledger) Clear() { l.total = 0 }

func (l *ledger) service(wrong bool) rpc.Service {
	enter := []rpc.Example{
		{Name: "first", Params: entryParams{Amount: 2, After: time.Minute}, Result: 2},
		{Name: "second", Params: &entryParams{Amount: 3}, Result: 5},
		{Name: "by name", Params: map[string]any{"amount": 1, "after": time.Minute}},
	}
	if wrong {
		enter = append(enter, rpc.Example{Name: "other result", Params: entryParams{Amount: 1}, Result: 70},
			rpc.Example{Name: "refused", Params: entryParams{Amount: -1}})
	}
	return rpc.Service{Name: "ledger", Since: 2, Groups: []string{"books"}, Methods: []rpc.Method{
		{Func: l.Enter, Examples: enter, Errors: nil},
		{Func: l.Clear, Examples: []rpc.Example{{Name: "clear"}}},
	}}
}

// Examples in any group and version are called; those that come out otherwise
// are told.
//
// R-O02
func TestExamples(t *testing.T) {
	rpctest.Examples(t, rpctest.New(t, new(ledger).service(false)))

	r := &recorder{TB: t}
	rpctest.Examples(r, rpctest.New(t, new(ledger).service(true)))
	want := []string{
		"the example \"other result\" of ledger.enter does not come out as declared with {\"amount\":1}\n got: 7\nwant: 70",
		`the example "refused" of ledger.enter fails with {"amount":-1}: `,
	}
	if len(r.said) != len(want) {
		t.Fatalf("got %q", r.said)
	}
	for i := range want {
		if !strings.HasPrefix(r.said[i], want[i]) {
			t.Errorf("got %q\nwant %q", r.said[i], want[i])
		}
	}

	none := &recorder{TB: t}
	rpctest.Examples(none, rpctest.New(t, Till{}))
	if len(none.said) != 1 {
		t.Errorf("a program without examples: %q", none.said)
	}
}
