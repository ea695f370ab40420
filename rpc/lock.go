package rpc

import (
	"context"
	"encoding"
	"reflect"
	"strconv"
	"strings"
	"time"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc/schema"
)

// defaultHold is how long a lock is kept at most.
const defaultHold = 30 * time.Second

func (s *Spec) locks() bool { return s.Declared.Lock.On != "" || s.Declared.Lock.Name != "" }

// lockWay leads to the parameter whose value is locked.
type lockWay struct {
	fields [][]int // an index path a step
	kind   schema.Kind
}

// lockPath finds the parameter that on names; problem says why it cannot.
func lockPath(t *schema.Type, on string) (way *lockWay, problem string) {
	if t == nil {
		return nil, "the method has no parameters"
	}
	steps := []string{on}
	if strings.HasPrefix(on, "/") {
		steps = strings.Split(on[1:], "/")
		for i, s := range steps {
			steps[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(s)
		}
	}
	way = &lockWay{}
	for _, step := range steps {
		for t.Kind == schema.Pointer {
			t = t.Elem
		}
		i := t.Lookup([]byte(step))
		if i < 0 {
			return nil, "there is no parameter " + quoted(step)
		}
		way.fields = append(way.fields, t.Fields[i].Index)
		t = t.Fields[i].Type
	}
	for t.Kind == schema.Pointer {
		t = t.Elem
	}
	switch way.kind = t.Kind; t.Kind {
	case schema.String, schema.Bool, schema.Int, schema.Uint, schema.Text, schema.Time, schema.Exact:
		return way, ""
	}
	return nil, "its value is not a single one"
}

// text is the value to lock on.
func (w *lockWay) text(v reflect.Value) string {
	for _, index := range w.fields {
		for v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return ""
			}
			v = v.Elem()
		}
		f, err := v.FieldByIndexErr(index)
		if err != nil {
			return ""
		}
		v = f
	}
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return ""
		}
		v = v.Elem()
	}
	switch w.kind {
	case schema.String, schema.Exact:
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
