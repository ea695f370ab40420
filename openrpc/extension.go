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

// control describes $rpc, which stands beside the parameters of every method
// by name, and is in the schema of none. It is a JSON Schema.
type control struct {
	Name                 string   `json:"name"`
	Description          string   `json:"description"`
	Type                 string   `json:"type"`
	AdditionalProperties bool     `json:"additionalProperties"`
	Properties           controls `json:"properties"`
}

type controls struct {
	Timeout        setting `json:"timeout"`
	Callback       setting `json:"callback"`
	RayID          setting `json:"rayId"`
	IgnoreCache    setting `json:"ignoreCache"`
	IdempotencyKey setting `json:"idempotencyKey"`
}

type setting struct {
	Description string `json:"description"`
	Type        any    `json:"type"`
	Format      string `json:"format,omitzero"`
	MinLength   int    `json:"minLength,omitzero"`
	MaxLength   int    `json:"maxLength,omitzero"`
}

func settings() *control {
	return &control{
		Name: "$rpc", Type: "object",
		Description: "What a call asks of the server itself, as a member of params by name, of any method.",
		Properties: controls{
			Timeout:        setting{Type: "number", Description: "Seconds that the call may take, within the bounds of the server."},
			Callback:       setting{Type: "string", Format: "uri", MaxLength: 2048, Description: "An http or https URL: the call is answered at once with a jobId, runs later, and its response is posted there. Error -32300 where calls cannot run later."},
			RayID:          setting{Type: []string{"string", "integer"}, MinLength: 1, MaxLength: 128, Description: "Connects the call with others, in logs and webhooks."},
			IgnoreCache:    setting{Type: "boolean", Description: "Whether a cached result is computed again."},
			IdempotencyKey: setting{Type: "string", MinLength: 1, MaxLength: 128, Description: "A repeated call with the same key gets the first answer; for methods that keep answers."},
		},
	}
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
	if m.Lock != (rpc.Lock{}) {
		x.Lock = &lockHint{m.Lock.Name, m.Lock.On, m.Lock.Wait.Seconds(), m.Lock.Hold.Seconds()}
	}
	return x
}

// answer is nil for a hint that was not set.
func answer(h rpc.Hint) *bool {
	if h == rpc.Unset {
		return nil
	}
	yes := h == rpc.Yes
	return &yes
}
