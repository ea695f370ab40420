package openrpc

import (
	"bytes"
	"strconv"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// errorObject is the Error Object of OpenRPC 1.3.2. Data is the schema of
// error.data; the specification leaves its meaning to the server.
type errorObject struct {
	Code    int            `json:"code"`
	Message string         `json:"message"`
	Data    jsontext.Value `json:"data"`
}

// reference points at a component.
type reference struct {
	Ref string `json:"$ref"`
}

// errorBook collects the errors of all methods, each written once.
type errorBook struct {
	schemas *schemas
	text    func(rpcerrors.Declared) string // in the reader's language
	entries map[string]jsontext.Value       // by component key
}

// of lists the errors of a method: the declared ones first, then those of the
// framework that any call of it can end with.
func (b *errorBook) of(m *rpc.Method) ([]reference, error) {
	all := append([]rpcerrors.Declared(nil), m.Errors...)
	all = append(all, rpcerrors.InvalidParams, rpcerrors.Internal)
	if m.Idempotency.TTL > 0 {
		all = append(all, rpcerrors.IdempotencyConflict)
	}
	if m.Lock != (rpc.Lock{}) {
		all = append(all, rpcerrors.Locked)
	}
	if m.Timeout > 0 {
		all = append(all, rpcerrors.Timeout)
	}
	refs := make([]reference, 0, len(all))
	seen := map[string]bool{}
	for _, d := range all {
		key, err := b.key(d)
		if err != nil {
			return nil, err
		}
		if !seen[key] {
			seen[key] = true
			refs = append(refs, reference{"#/components/errors/" + key})
		}
	}
	return refs, nil
}

// key is where d stands in components.errors: its kind, with a number behind
// if another error of the same kind was there before.
func (b *errorBook) key(d rpcerrors.Declared) (string, error) {
	data, err := b.data(d)
	if err != nil {
		return "", err
	}
	entry, err := json.Marshal(errorObject{d.Code(), b.text(d), data}, deterministic)
	if err != nil {
		return "", err
	}
	key := d.Name()
	for n := 2; ; n++ {
		old, taken := b.entries[key]
		if !taken {
			b.entries[key] = entry
			return key, nil
		}
		if bytes.Equal(old, entry) {
			return key, nil
		}
		key = d.Name() + strconv.Itoa(n)
	}
}

// data is the schema of error.data. It stays open: development servers add
// members, and details are left out when a method returns a kind bare.
func (b *errorBook) data(d rpcerrors.Declared) (jsontext.Value, error) {
	type constant struct {
		Type  string `json:"type"`
		Const string `json:"const"`
	}
	properties := struct {
		Exception  constant       `json:"exception"`
		Violations jsontext.Value `json:"violations,omitzero"`
		Details    jsontext.Value `json:"details,omitzero"`
	}{Exception: constant{"string", d.Name()}}
	if d == rpcerrors.Declared(rpcerrors.InvalidParams) {
		properties.Violations = jsontext.Value(violations)
	}
	if t := d.DataType(); t != nil {
		details, err := b.schemas.details(t)
		if err != nil {
			return nil, err
		}
		properties.Details = details
	}
	return json.Marshal(struct {
		Type       string   `json:"type"`
		Properties any      `json:"properties"`
		Required   []string `json:"required"`
	}{"object", properties, []string{"exception"}}, deterministic)
}

// violations is the schema of the violations of InvalidParams; see
// rpcerrors.Violation.
const violations = `{"type":"array","items":{"type":"object","properties":{` +
	`"pointer":{"type":"string","description":"Where: a JSON pointer (RFC 6901) into params."},` +
	`"rule":{"type":"string","description":"Which rule is broken."},` +
	`"param":{"type":"string","description":"The parameter of the rule, such as 100 for max=100."},` +
	`"message":{"type":"string","description":"What is wrong, for people."}},` +
	`"required":["pointer","rule","message"]}}`
