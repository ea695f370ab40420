package rpc

import (
	"maps"
	"slices"

	"github.com/facet-rpc/facet/rpc/internal/params"
	"github.com/facet-rpc/facet/rpc/internal/result"
	"github.com/facet-rpc/facet/rpc/schema"
)

// Registry holds what can be called. It never changes.
type Registry struct {
	app         App
	model       *schema.Model
	params      *params.Compiler
	results     *result.Compiler
	specs       []*Spec
	groups      []string
	endpoints   map[string]map[int]*Endpoint
	unpublished []string
	revision    func() uint64 // of texts that change; nil: they never do
}

// NewRegistry registers services. A service is a value with a method
// RPC() [Service], any other value, whose exported methods are published as
// they stand, or a [Service] itself, for functions.
//
// The error is a [Faults]: all that is wrong with all services at once.
func NewRegistry(app App, services ...any) (*Registry, error) {
	r := newRegistration(app)
	r.checkApp()
	for _, s := range services {
		r.service(s)
	}
	r.checkReferences()
	r.checkDuplicates()
	r.checkTexts()
	if len(r.faults) > 0 {
		return nil, r.faults
	}
	return r.registry(), nil
}

// App is the application's description.
func (r *Registry) App() App { return r.app }

// Model describes the types of all methods.
func (r *Registry) Model() *schema.Model { return r.model }

// Specs lists the methods of every group and version, in the order of
// registration. Do not change it.
func (r *Registry) Specs() []*Spec { return r.specs }

// Groups lists the groups in which a method is published, sorted.
func (r *Registry) Groups() []string { return r.groups }

// Versions lists the versions of a group, ascending: those in which one of
// its methods begins or has ended.
func (r *Registry) Versions(group string) []int {
	return slices.Sorted(maps.Keys(r.endpoints[group]))
}

// Endpoint is a group at a version; nil when the group has no such version.
func (r *Registry) Endpoint(group string, version int) *Endpoint {
	return r.endpoints[group][version]
}

// Unpublished lists the exported methods that an allow-list left out, as
// Type.Method.
func (r *Registry) Unpublished() []string { return r.unpublished }

// registry builds what the registration found right.
func (r *registration) registry() *Registry {
	out := &Registry{
		app: r.app, model: r.model, params: r.params, results: r.results,
		endpoints: map[string]map[int]*Endpoint{}, unpublished: r.unpublished, revision: revisionsOf(r.app.Texts),
	}
	slices.Sort(out.unpublished)
	groups := map[string][]*Spec{}
	for i, m := range r.methods {
		m.spec.index = i
		out.specs = append(out.specs, m.spec)
		for _, g := range m.spec.Declared.Groups {
			groups[g] = append(groups[g], m.spec)
		}
	}
	out.groups = slices.Sorted(maps.Keys(groups))
	for g, specs := range groups {
		out.endpoints[g] = map[int]*Endpoint{}
		for _, v := range versions(specs) {
			out.endpoints[g][v] = newEndpoint(out, g, v, specs)
		}
	}
	return out
}

// versions are those in which a method begins or has ended.
func versions(specs []*Spec) []int {
	set := map[int]bool{}
	for _, s := range specs {
		set[s.Declared.Since] = true
		if s.Declared.Until > 0 {
			set[s.Declared.Until+1] = true
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// newEndpoint chooses, for every name, the newest method that lives in the
// version.
func newEndpoint(r *Registry, group string, version int, specs []*Spec) *Endpoint {
	e := &Endpoint{Group: group, Version: version, registry: r, byName: map[string]*Spec{}}
	for _, s := range specs {
		d := &s.Declared
		if d.Since > version || d.Until > 0 && d.Until < version {
			continue
		}
		if old := e.byName[d.Name]; old == nil || old.Declared.Since < d.Since {
			e.byName[d.Name] = s
		}
	}
	var inherited []*Spec
	for _, s := range specs {
		switch {
		case e.byName[s.Declared.Name] != s:
		case s.Declared.Since == version:
			e.specs = append(e.specs, s)
		default:
			inherited = append(inherited, s)
		}
	}
	e.specs = append(e.specs, inherited...)
	return e
}
