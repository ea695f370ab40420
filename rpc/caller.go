package rpc

import "slices"

// Caller is who calls. The door makes it from a token.
type Caller struct {
	// ID names the principal: in logs, cache keys and sessions. It stays the
	// same when the token is rotated. Empty: anonymous.
	ID string
	// Groups are the groups of methods the caller may enter; nil:
	// [DefaultGroup] only; [AnyGroup]: all.
	Groups []string
	// Scopes are what the token grants; see [Method.Scopes].
	Scopes []string
}

// MayEnter reports whether the caller may use endpoints of group.
func (c *Caller) MayEnter(group string) bool {
	if len(c.Groups) == 0 {
		return group == DefaultGroup
	}
	return slices.Contains(c.Groups, group) || slices.Contains(c.Groups, AnyGroup)
}

// anonymous is the caller whom a method with a shared cache sees.
var anonymous = &Caller{}
