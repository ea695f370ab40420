package openrpc

import (
	"github.com/facet-rpc/facet/rpc"
)

// extensions are the members of a method that OpenRPC does not have. All
// times are seconds.
type extensions struct {
	Hints   *hints     `json:"x-hints,omitzero"`
	Cache   *cacheHint `json:"x-cache,omitzero"`
	Lock    *lockHint  `json:"x-lock,omitzero"`
	Repeat  *repeat    `json:"x-idempotency,omitzero"`
	Groups  []string   `json:"x-groups"`
	Since   int        `json:"x-since"`
	Until   int        `json:"x-until,omitzero"`
	Timeout float64    `json:"x-timeout,omitzero"`
}

// hints are those that were set.
type hints struct {
	ReadOnly    *bool `json:"readOnly,omitzero"`
	Destructive *bool `json:"destructive,omitzero"`
	Idempotent  *bool `json:"idempotent,omitzero"`
	OpenWorld   *bool `json:"openWorld,omitzero"`
}

type cacheHint struct {
	TTL          float64 `json:"ttl"`
	Shared       bool    `json:"shared,omitzero"`
	LanguageFree bool    `json:"languageFree,omitzero"`
}

// repeat: a key makes a repeated call get the first answer.
type repeat struct {
	TTL float64 `json:"ttl"`
}

type lockHint struct {
	Name string  `json:"name,omitempty"`
	On   string  `json:"on,omitempty"`
	Wait float64 `json:"wait,omitzero"`
	Hold float64 `json:"hold,omitzero"`
}

func extensionsOf(m *rpc.Method) extensions {
	x := extensions{
		Groups: m.Groups, Since: m.Since, Until: m.Until, Timeout: m.Timeout.Seconds(),
	}
	if m.Hints != (rpc.Hints{}) {
		x.Hints = &hints{
			ReadOnly: answer(m.Hints.ReadOnly), Destructive: answer(m.Hints.Destructive),
			Idempotent: answer(m.Hints.Idempotent), OpenWorld: answer(m.Hints.OpenWorld),
		}
	}
	if m.Cache.TTL > 0 {
		x.Cache = &cacheHint{m.Cache.TTL.Seconds(), m.Cache.Shared, m.Cache.LanguageFree}
	}
	if m.Idempotency.TTL > 0 {
		x.Repeat = &repeat{m.Idempotency.TTL.Seconds()}
	}
	if locks(m) {
		x.Lock = &lockHint{m.Lock.Name, m.Lock.On, m.Lock.Wait.Seconds(), m.Lock.Hold.Seconds()}
	}
	return x
}

func locks(m *rpc.Method) bool { return m.Lock.Name != "" || m.Lock.On != "" }

// answer is nil for a hint that was not set.
func answer(h rpc.Hint) *bool {
	if h == rpc.Unset {
		return nil
	}
	yes := h == rpc.Yes
	return &yes
}
