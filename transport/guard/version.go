package guard

import (
	"strconv"
	"strings"

	"github.com/facet-rpc/facet/rpc"
)

// endpoints are a group's versions, in order. Some numbers may be missing.
func endpoints(registry *rpc.Registry, group string) []*rpc.Endpoint {
	var list []*rpc.Endpoint
	for _, v := range registry.Versions(group) {
		list = append(list, registry.Endpoint(group, v))
	}
	return list
}

// VersionPath is where a version of a [Route] is served: version 1 at its Path,
// version n at v<n> below it.
func VersionPath(path string, version int) string {
	if version == 1 {
		return path
	}
	return path + "/" + segment(version)
}

// segment is the last part of a version's path.
func segment(version int) string { return "v" + strconv.Itoa(version) }

// isSegment reports whether s looks like one.
func isSegment(s string) bool {
	n, err := strconv.Atoi(strings.TrimPrefix(s, "v"))
	return err == nil && n > 0 && s == segment(n)
}
