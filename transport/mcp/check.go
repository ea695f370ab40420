package mcp

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/facet-rpc/facet/rpc"
)

// Finding is something that a client does not take.
type Finding struct {
	// Client is the one that does not, such as claude-desktop.
	Client string
	// Profile is how it asks for tools.
	Profile Profile
	// Version is that of the endpoint.
	Version int
	// Method is the one whose tool it is; empty: the list as a whole.
	Method string
	// Tool is its name in the list.
	Tool string
	// Fault: the client refuses the tool, the list or every request. Else it
	// works, but worse, or in another profile.
	Fault bool
	// What is wrong, Why it matters, how to Mend it, and the public Issue that
	// tells of it.
	What, Why, Mend, Issue string
}

// String is the finding as a sentence.
func (f Finding) String() string {
	tool := "the list"
	if f.Tool != "" {
		tool = "the tool " + f.Tool
	}
	return fmt.Sprintf("%s, version %d, profile %s: %s: %s: %s (%s); %s",
		f.Client, f.Version, f.Profile, tool, f.What, f.Why, f.Issue, f.Mend)
}

// Check says which client would not take which tool of the edge, and why. It
// looks at the tools as the client's manifest asks for them, and, where that
// is another profile than the edge's own, at those that a client gets without
// it: what only the latter show is no fault.
//
// [guard.Mount] logs what stands against the manifests. In a test:
//
//	for _, f := range mcp.Check(registry, mcp.Edge{}) {
//		if f.Fault {
//			t.Error(f)
//		}
//	}
func Check(registry *rpc.Registry, e Edge) []Finding {
	e = e.defaults(registry.App())
	var all []Finding
	for _, v := range registry.Versions(e.Group) {
		s := newShelf(registry, e, v)
		for _, c := range Clients() {
			asked := e.profileOf(c.Profile)
			found := s.check(c, asked)
			all = append(all, found...)
			if asked != e.Profile {
				all = append(all, bare(s.check(c, e.Profile), found, c)...)
			}
		}
	}
	return all
}

// refused are the faults in what manifests ask for, as Mount logs them.
func (e Edge) refused(r *rpc.Registry) []string {
	var all []string
	for _, v := range r.Versions(e.Group) {
		s := newShelf(r, e, v)
		for _, c := range Clients() {
			for _, f := range s.check(c, e.profileOf(c.Profile)) {
				if f.Fault {
					all = append(all, f.String())
				}
			}
		}
	}
	return all
}

// bare are the findings without ?profile= that the manifest saves a client
// from.
func bare(plain, asked []Finding, c Client) []Finding {
	var only []Finding
	for _, f := range plain {
		known := slices.ContainsFunc(asked, func(o Finding) bool { return o.Method == f.Method && o.Issue == f.Issue && o.What == f.What })
		if known || !f.Fault {
			continue
		}
		f.Fault, f.Mend = false, "give the client its manifest, or ?profile="+string(c.Profile)
		only = append(only, f)
	}
	return only
}

// profileOf is what a client's manifest asks for: Strict serves all.
func (e Edge) profileOf(p Profile) Profile {
	if e.Profile == Strict {
		return Strict
	}
	return cmp.Or(p, e.Profile)
}

// check holds the tools of a profile against the needs of a client.
func (s *shelf) check(c Client, p Profile) []Finding {
	e := edge{view: s.views[slices.Index(Profiles(), p)], tools: len(s.specs)}
	var all []Finding
	add := func(n Need, spec *rpc.Spec, tool, what string) {
		if what == "" {
			return
		}
		f := Finding{Client: c.Name, Profile: p, Version: s.version, Tool: tool, Fault: !n.warning,
			What: what, Why: n.Why, Mend: cmp.Or(n.mend, "leave "+n.Setting+" to the profile"), Issue: n.Issue}
		if spec != nil {
			f.Method = spec.Name()
		}
		all = append(all, f)
	}
	for _, n := range c.Needs {
		if n.all != nil {
			add(n, nil, "", n.all(e))
			continue
		}
		for _, spec := range s.specs {
			t := s.listed(spec, e.view)
			add(n, spec, t.name, n.broken(t))
		}
	}
	return all
}

// edge is the list as a whole.
type edge struct {
	view  *view
	tools int
}

func (e edge) more(than int) string {
	if e.tools <= than {
		return ""
	}
	return fmt.Sprintf("there are %d tools", e.tools)
}
