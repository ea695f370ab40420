package mcp

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/facet-rpc/facet/rpc"
)

// view is an endpoint as a profile shows it.
type view struct {
	profile        Profile
	index          byte              // of the profile, in the keys of the catalogue
	names          map[string]string // of tools, by method; nil: as declared
	methods        map[string]string // by the names of tools; nil: as declared
	inline         bool
	argumentErrors ArgumentErrors
}

// views are those of all profiles, in the order of [Profiles].
func (e Edge) views(ep *rpc.Endpoint) []*view {
	var all []*view
	for i, p := range Profiles() {
		t := e.traits(p)
		v := &view{profile: p, index: byte(i), inline: t.schemas == Inline, argumentErrors: t.argumentErrors}
		v.names, v.methods = toolNames(t, e.serverName(ep.Version), ep.Specs())
		all = append(all, v)
	}
	return all
}

// tool is the name of a method's tool.
func (v *view) tool(method string) string {
	if name, ok := v.names[method]; ok {
		return name
	}
	return method
}

// toolNames are the names of the tools that are not those of their methods,
// and back. A name that is too long, or that another tool has already, ends
// in a part of its hash.
func toolNames(t traits, server string, specs []*rpc.Spec) (names, methods map[string]string) {
	room := t.room(server)
	if t.names == AsDeclared && room == 0 {
		return nil, nil
	}
	names, methods = map[string]string{}, map[string]string{}
	for _, s := range specs {
		method := s.Name()
		name := t.name(method)
		if room > 0 && len(name) > room {
			name = hashed(name, method, room)
		}
		if _, taken := methods[name]; taken {
			name = hashed(name, method, max(room, len(name)+hashLength+1))
		}
		names[method], methods[name] = name, method
	}
	return names, methods
}

// name is how a method's tool is called, however long that is.
func (t traits) name(method string) string {
	if t.names == Underscored {
		return strings.ReplaceAll(method, ".", "_")
	}
	return method
}

// hashLength is how many digits of a hash tell names apart.
const hashLength = 6

// hashed is a name of at most room bytes that no other method has: names of
// methods are ASCII.
func hashed(name, method string, room int) string {
	sum := sha256.Sum256([]byte(method))
	tail := "_" + hex.EncodeToString(sum[:hashLength/2])
	if len(name) > room-len(tail) {
		name = name[:room-len(tail)]
	}
	return name + tail
}
