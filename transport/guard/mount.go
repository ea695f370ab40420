package guard

import (
	"fmt"
	"slices"
	"strings"

	"github.com/facet-rpc/facet/rpc"
	"github.com/gin-gonic/gin"
	"go.uber.org/zap"
)

// Mount puts the edges on a router, behind the policy. It returns all faults
// at once, each with the way to mend it, and then nothing was mounted; only
// when the router itself refuses a path may earlier ones be there.
//
// Every path is registered for all HTTP methods that gin's Any knows, so that
// 404 for a version and 405 are answered here. The engine's settings are not
// changed. Mount logs what it mounted once, and warns when the policy is Open.
func Mount(router gin.IRouter, exec *rpc.Executor, policy Policy, edges ...Edge) error {
	var f faults
	if router == nil {
		f.add("the router is nil; give a gin.Engine or one of its groups")
	}
	if exec == nil {
		f.add("the executor is nil; make one with rpc.NewExecutor")
	}
	gate := policy.gate(exec, &f)
	if len(edges) == 0 {
		f.add("there is no edge to mount; give one, such as rpchttp.Edge{}")
	}
	for i, e := range edges {
		if e == nil {
			f.add("edge %d is nil", i+1)
		}
	}
	if router == nil || exec == nil {
		return f.err() // the edges cannot be asked
	}
	edges = slices.DeleteFunc(slices.Clone(edges), func(e Edge) bool { return e == nil })
	site := &Site{gate: gate, exec: exec, base: basePath(router)}
	site.collect(edges, &f)
	m := plan{site: site, faults: &f, names: map[string]string{}, paths: map[string]bool{}}
	for _, e := range edges {
		m.add(e)
	}
	m.checkShadows()
	m.checkChallenge(policy.Challenge)
	if len(f) > 0 {
		return f.err()
	}
	site.places = m.places
	for _, p := range m.places {
		if err := p.register(router); err != nil {
			return err
		}
	}
	m.log(policy)
	if site.deferrer != nil { // the last thing: its jobs run from now on
		return exec.DeferTo(site.deferrer)
	}
	return nil
}

// basePath is the prefix of a router group, empty at the root.
func basePath(router gin.IRouter) string {
	if g, ok := router.(interface{ BasePath() string }); ok {
		return strings.TrimRight(g.BasePath(), "/")
	}
	return ""
}

// register puts the place on the router. gin panics for a path it cannot take.
func (p *place) register(router gin.IRouter) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("guard: the router does not take %s: %v; is the path taken by a route of your own?", p.route.Path, v)
		}
	}()
	router.Any(p.route.Path+p.route.Below, func(c *gin.Context) { p.serve(c.Writer, c.Request, p.first) })
	if !p.route.Document {
		router.Any(p.route.Path+"/:version"+p.route.Below, func(c *gin.Context) {
			p.serve(c.Writer, c.Request, p.doors[c.Param("version")])
		})
	}
	return nil
}

// log tells once what is served.
func (m *plan) log(policy Policy) {
	log := m.site.exec.Logger()
	log.Info("mounted", zap.Strings("endpoints", m.listing))
	if policy.Open {
		log.Warn("the policy is Open: everybody who reaches the program may call everything it serves")
	}
}
