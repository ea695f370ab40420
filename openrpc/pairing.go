package openrpc

import (
	"bytes"

	"github.com/facet-rpc/facet/rpc"
	"github.com/go-json-experiment/json/jsontext"
)

// pairing is the Example Pairing Object: a whole call. Without a result, that
// of the call is different each time.
type pairing struct {
	Name        string    `json:"name"`
	Summary     string    `json:"summary,omitempty"`
	Description string    `json:"description,omitempty"`
	Params      []example `json:"params"`
	Result      *example  `json:"result,omitzero"`
}

// example is the Example Object. It has the name of the parameter it is for,
// or of the result.
type example struct {
	Name  string         `json:"name"`
	Value jsontext.Value `json:"value"`
}

// pairings are the declared examples of a method.
func pairings(s *rpc.Spec) ([]pairing, error) {
	var out []pairing
	for _, x := range s.Examples {
		p := pairing{Name: x.Name, Summary: x.Summary, Description: x.Description}
		var err error
		if p.Params, err = members(x.Params); err != nil {
			return nil, err
		}
		if x.Result != nil {
			p.Result = &example{"result", x.Result}
		}
		out = append(out, p)
	}
	return out, nil
}

// members are those of an object, in its order.
func members(object []byte) ([]example, error) {
	out := []example{}
	d := jsontext.NewDecoder(bytes.NewReader(object))
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	for d.PeekKind() == '"' {
		token, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		name := token.String()
		value, err := d.ReadValue()
		if err != nil {
			return nil, err
		}
		out = append(out, example{name, value.Clone()})
	}
	return out, nil
}
