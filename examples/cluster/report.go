//go:build linux || darwin

package main

import (
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
)

// report is the table that the proof ends with.
type report struct{ rows []row }

// row is one figure and what it must be.
type row struct {
	what, got, want string
	holds           bool
}

// add notes a figure; want says what it must be, empty: anything.
func (r *report) add(what string, got any, want string, holds bool) {
	r.rows = append(r.rows, row{what, fmt.Sprint(got), want, holds})
}

// print writes the table. The error says what does not hold.
func (r *report) print(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	var failed []error
	for _, x := range r.rows {
		verdict := "ok"
		switch {
		case !x.holds:
			verdict = "DOES NOT HOLD"
			failed = append(failed, fmt.Errorf("%s: %s, must be %s", x.what, x.got, x.want))
		case x.want == "":
			verdict = ""
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", x.what, x.got, x.want, verdict)
	}
	return errors.Join(append(failed, table.Flush())...)
}
