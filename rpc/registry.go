package rpc

import "github.com/facet-rpc/facet/rpc/schema"

// Registry holds what can be called. It never changes.
type Registry struct {
	app         App
	model       *schema.Model
	groups      []string
	endpoints   map[string]map[int]*Endpoint
	unpublished []string
}

// App is the application's description.
func (r *Registry) App() App { return r.app }

// Model describes the types of all methods.
func (r *Registry) Model() *schema.Model { return r.model }

// Groups lists the groups in which a method is published, sorted.
func (r *Registry) Groups() []string { return r.groups }

// Endpoint is a group at a version; nil when the group has no such version.
func (r *Registry) Endpoint(group string, version int) *Endpoint {
	return r.endpoints[group][version]
}

// Unpublished lists exported methods that an allow-list left out.
func (r *Registry) Unpublished() []string { return r.unpublished }
