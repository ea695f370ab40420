package server

import (
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
)

// guide prints what is served and how to try it.
func guide(out io.Writer, url string, registry *rpc.Registry) {
	version := registry.Versions(rpc.DefaultGroup)[0]
	specs := registry.Endpoint(rpc.DefaultGroup, version).Specs()
	at := guard.VersionPath("", version)
	names := make([]string, len(specs))
	for i, s := range specs {
		names[i] = s.Name()
	}
	fmt.Fprintf(out, `Hello serves %[1]s to this machine, without a token. Ctrl-C stops it.
Methods: %[2]s

JSON-RPC  curl -s %[1]s/rpc%[3]s -H 'Content-Type: application/json' -d '%[4]s'
OpenRPC   curl -s '%[1]s/openrpc%[3]s?pretty'
MCP       curl -s %[1]s/mcp%[3]s -H 'Content-Type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
Page      %[1]s/openrpc/ui
`, url, strings.Join(names, ", "), at, sampleCall(specs))
}

// sampleCall is a request that works: of the first method whose required
// parameters can be made up, else of ping.
func sampleCall(specs []*rpc.Spec) string {
	for _, s := range specs {
		if s.Declared.Hints.Destructive == rpc.Yes {
			continue
		}
		if params, ok := sampleParams(s); ok {
			return `{"jsonrpc":"2.0","id":1,"method":"` + s.Name() + `"` + params + `}`
		}
	}
	return `{"jsonrpc":"2.0","id":1,"method":"ping"}`
}

// sampleParams has a value for every required parameter that carries no rule
// of its own; an example that is declared comes first.
func sampleParams(s *rpc.Spec) (string, bool) {
	if s.Params == nil {
		return "", true
	}
	var members []string
	for _, f := range s.Params.Fields {
		value := ""
		switch {
		case !f.Required:
			continue
		case len(f.Examples) > 0:
			value = string(f.Examples[0])
		case len(f.Type.Enum) > 0:
			value = string(f.Type.Enum[0].JSON)
		case f.Rules == nil:
			value = sampleValue(f.Type.Go)
		}
		if value == "" || strings.Contains(value, "'") { // the shell's own quote
			return "", false
		}
		members = append(members, `"`+f.Name+`":`+value)
	}
	if len(members) == 0 {
		return "", true
	}
	return `,"params":{` + strings.Join(members, ",") + `}`, true
}

// sampleValue is empty for what has a form of its own, such as a time.
func sampleValue(t reflect.Type) string {
	if t.NumMethod() > 0 || t.PkgPath() != "" {
		return ""
	}
	switch {
	case t.Kind() == reflect.String:
		return `"world"`
	case t.Kind() == reflect.Bool:
		return "true"
	case t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64, t.Kind() == reflect.Float32, t.Kind() == reflect.Float64:
		return "1"
	}
	return ""
}
