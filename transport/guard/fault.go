package guard

import (
	stderrors "errors"
	"fmt"
	"slices"
)

// faults collects what is wrong with a mount, so that all of it is told at once.
type faults []error

// add leaves out what was told before, as by an edge with several paths.
func (f *faults) add(format string, args ...any) {
	err := fmt.Errorf("guard: "+format, args...)
	if !slices.ContainsFunc(*f, func(e error) bool { return e.Error() == err.Error() }) {
		*f = append(*f, err)
	}
}

// err is nil without faults.
func (f faults) err() error { return stderrors.Join(f...) }
