package rpc

import (
	"context"
	"encoding"
	"reflect"
	"strconv"
	"time"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc/schema"
)

// defaultHold is how long a lock is kept at most.
const defaultHold = 30 * time.Second

func (s *Spec) locks() bool { return s.Declared.Lock.On != "" || s.Declared.Lock.Name != "" }

// lockWay leads to the parameter whose value is locked.
type lockWay struct {
	way
	kind schema.Kind
}

// lockPath finds the parameter that on names; problem says why it cannot.
func lockPath(t *schema.Type, on string) (l *lockWay, problem string) {
	w, f, problem := wayTo(t, on)
	if problem != "" {
		return nil, problem
	}
	t = f.Type
	for t.Kind == schema.Pointer {
		t = t.Elem
	}
	switch t.Kind {
	case schema.String, schema.Bool, schema.Int, schema.Uint, schema.Text, schema.Time:
		return &lockWay{*w, t.Kind}, ""
	case schema.Exact:
		return nil, "one number can be written in many ways, 7 and 7.0 would be two locks"
	}
	return nil, "its value is not a single one"
}

// text is the value to lock on.
func (w *lockWay) text(v reflect.Value) string {
	v, ok := w.follow(v)
	if !ok {
		return ""
	}
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return ""
		}
		v = v.Elem()
	}
	switch w.kind {
	case schema.String:
		return v.String()
	case schema.Bool:
		return strconv.FormatBool(v.Bool())
	case schema.Int:
		return strconv.FormatInt(v.Int(), 10)
	case schema.Uint:
		return strconv.FormatUint(v.Uint(), 10)
	case schema.Time:
		return strconv.FormatInt(v.Interface().(time.Time).UnixNano(), 10)
	}
	m, _ := v.Addr().Interface().(encoding.TextMarshaler)
	b, _ := m.MarshalText()
	return string(b)
}

// locked holds the method's lock until the method has returned.
func locked(x *Executor, s *Spec, next Handler) Handler {
	if !s.locks() {
		return next
	}
	l, way := s.Declared.Lock, s.bound.lock
	prefix := l.Name
	if prefix == "" {
		prefix = s.Declared.Name
	}
	prefix += "\x00"
	hold := l.Hold
	if hold == 0 {
		hold = defaultHold
	}
	return func(ctx context.Context, c *Call) (Response, error) {
		key := prefix
		if way != nil {
			key += way.text(c.params)
		}
		lease, free, held, err := x.options.Locker.Lock(ctx, key, l.Wait, hold)
		switch {
		case ctx.Err() != nil && !held:
			return Response{}, ctx.Err()
		case err != nil:
			return Response{}, rpcerrors.Unavailable.Wrap(err, "The lock cannot be taken now.")
		case !held:
			return Response{}, rpcerrors.Locked.New("Method \"" + c.Method + "\" is locked.")
		}
		defer free()
		response, err := next(lease, c)
		if err != nil && lease.Err() != nil && ctx.Err() == nil {
			response.discard()
			return Response{}, rpcerrors.Unavailable.Wrap(err, "The lock was lost.")
		}
		return response, err
	}
}
