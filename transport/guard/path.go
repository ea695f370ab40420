package guard

// Path is where an edge serves a version of a group, such as /rpc/v2 for the
// edge rpc; empty when none does. It is relative to [Site.PublicURL] and
// known when [Mount] has returned: ask for it while serving a request. Of
// several edges of that name the first counts. What [Policy.Available] turns off
// is served by none.
func (s *Site) Path(edge, group string, version int) string {
	for _, p := range s.places {
		if p.route.Edge != edge || p.route.Below != "" || p.route.Group != group || !p.serves(segment(version)) {
			continue
		}
		return VersionPath(p.route.Path, version)
	}
	return ""
}

// serves reports whether the place has the version now.
func (p *place) serves(version string) bool {
	d := p.doors[version]
	return d != nil && p.there(d)
}
