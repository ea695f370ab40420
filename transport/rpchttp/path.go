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
	s := scan.Scanner{Src: value, MaxDepth: resultDepth}
	if s.Skip(1) != nil {
		return nil, false, path
	}
	return value[:s.Pos], true, ""
}

// child begins with the member or element of value that step names and ends
// where value does, so that a path reads value once; nil without one.
func child(value []byte, step string) (found []byte) {
	s := scan.Scanner{Src: value, MaxDepth: resultDepth}
	take := func(wanted bool) error {
		if s.Peek(); wanted {
			found = value[s.Pos:]
			return errFound
		}
		return s.Skip(1)
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
