package rpc

import (
	"fmt"
	"strings"
)

// Fault is something wrong in what was registered.
type Fault struct {
	Service string // as published; empty: the App
	Method  string // Go or published name; empty: the service as a whole
	Field   string // Type.Field; empty: none
	Problem string // what is wrong, and why
	Mend    string // what to write instead
}

// Error is the fault in one line: where, what, and the way to mend it.
func (f Fault) Error() string {
	var where []string
	if f.Service != "" {
		where = append(where, "service "+f.Service)
	}
	if f.Method != "" {
		where = append(where, "method "+f.Method)
	}
	if f.Field != "" {
		where = append(where, "field "+f.Field)
	}
	if len(where) == 0 {
		where = append(where, "app")
	}
	s := strings.Join(where, ", ") + ": " + f.Problem
	if f.Mend != "" {
		s += ": " + f.Mend
	}
	return s
}

// Faults is every fault of a registration; [NewRegistry] returns it as its
// error.
type Faults []Fault

// Error lists the faults, a line each.
func (fs Faults) Error() string {
	var b strings.Builder
	noun := "faults"
	if len(fs) == 1 {
		noun = "fault"
	}
	fmt.Fprintf(&b, "facet: %d %s in what was registered:", len(fs), noun)
	for _, f := range fs {
		b.WriteString("\n  - ")
		b.WriteString(f.Error())
	}
	return b.String()
}
