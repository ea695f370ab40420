package rpchttp

import (
	"strconv"
	"strings"

	"github.com/facet-rpc/facet/rpc/scan"
)

// resultDepth is how deep results may be that references are looked up in.
const resultDepth = 10_000

// at is the value at a path, names and indexes with dots between them; not ok:
// the step missing leads nowhere.
func at(value []byte, path string) (found []byte, ok bool, missing string) {
	if path == "" {
		return value, true, ""
	}
	for step := range strings.SplitSeq(path, ".") {
		if value = child(value, step); value == nil {
			return nil, false, step
		}
	}
	return value, true, ""
}

// child is the member or element of value that step names, nil without one.
func child(value []byte, step string) (found []byte) {
	s := scan.Scanner{Src: value, MaxDepth: resultDepth}
	take := func(wanted bool) error {
		s.Peek()
		start := s.Pos
		err := s.Skip(1)
		if wanted && err == nil {
			found = value[start:s.Pos]
			return errFound
		}
		return err
	}
	switch s.Peek() {
	case '{':
		_ = s.Object(func(name []byte) error { return take(string(name) == step) })
	case '[':
		index, err := strconv.ParseUint(step, 10, 31)
		if err != nil || len(step) > 1 && step[0] == '0' {
			return nil
		}
		_ = s.Array(func(i int) error { return take(i == int(index)) })
	}
	return found
}

// errFound ends a walk.
var errFound = &scan.Error{Reason: "found"}
