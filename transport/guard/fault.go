package guard

import (
	stderrors "errors"
	"fmt"
)

// faults collects what is wrong with a mount, so that all of it is told at once.
type faults []error

func (f *faults) add(format string, args ...any) {
	*f = append(*f, fmt.Errorf("guard: "+format, args...))
}

// err is nil without faults.
func (f faults) err() error { return stderrors.Join(f...) }
