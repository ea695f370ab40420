package guard

import (
	"strconv"
	"strings"

	"github.com/facet-rpc/facet/rpc"
)

// lastVersion bounds the search for a group's versions.
const lastVersion = 1000

// endpoints are a group's versions, in order. Some numbers may be missing.
func endpoints(registry *rpc.Registry, group string) []*rpc.Endpoint {
	var list []*rpc.Endpoint
	for v := 1; v <= lastVersion; v++ {
		if e := registry.Endpoint(group, v); e != nil {
			list = append(list, e)
		}
	}
	return list
}

// segment is the last part of a version's path.
func segment(version int) string { return "v" + strconv.Itoa(version) }

// isSegment reports whether s looks like one.
func isSegment(s string) bool {
	n, err := strconv.Atoi(strings.TrimPrefix(s, "v"))
	return err == nil && n > 0 && s == segment(n)
}
