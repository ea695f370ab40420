package client

import (
	"strconv"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// answer is one response object (section 5 of JSON-RPC 2.0).
type answer struct {
	ID     jsontext.Value `json:"id"`
	Result jsontext.Value `json:"result"`
	Error  *failure       `json:"error"`
}

// failure is its error object (section 5.1).
type failure struct {
	Code    int            `json:"code"`
	Message string         `json:"message"`
	Data    jsontext.Value `json:"data"`
}

func (f *failure) received() error { return rpcerrors.Received(f.Code, f.Message, f.Data) }

// id is the id as the client gave it.
func (a *answer) id() (int, bool) {
	id, err := strconv.Atoi(string(a.ID))
	return id, err == nil
}

// single reads the answer to one request. The error is the one the server
// answered, or a StatusError if body is no answer.
func single(status int, body []byte) (*answer, error) {
	var a answer
	if json.Unmarshal(body, &a) != nil || a.Error == nil && (a.Result == nil || status/100 != 2) {
		return nil, newStatusError(status, body)
	}
	if a.Error != nil {
		return nil, a.Error.received()
	}
	return &a, nil
}
