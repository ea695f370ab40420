package events

import (
	"fmt"
	"reflect"
	"runtime/debug"
)

// PanicError is the error of a listener that panicked. Its text holds the value
// and not the stack; both are for a log, not for a stranger.
type PanicError struct {
	Event string // name of the event, or its Go type when EventName panics too
	Value any    // what was given to panic
	Stack []byte // stack of the listener, as runtime/debug.Stack has it
}

// Error returns "events: a listener of <event> panicked: <value>".
func (p *PanicError) Error() string {
	return fmt.Sprintf("events: a listener of %s panicked: %v", p.Event, p.Value)
}

// Unwrap returns Value when that is an error, else nil.
func (p *PanicError) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

func panicError[E Event](e E, value any) *PanicError {
	return &PanicError{Event: nameOf(e), Value: value, Stack: debug.Stack()}
}

// nameOf survives an EventName that panics, as one with a value receiver does on
// a nil pointer: the bus promises that nothing of a listener's panic escapes.
func nameOf[E Event](e E) (name string) {
	defer func() {
		if recover() != nil {
			name = reflect.TypeFor[E]().String()
		}
	}()
	return e.EventName()
}
