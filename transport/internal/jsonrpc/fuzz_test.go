package jsonrpc_test

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/transport/internal/jsonrpc"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// FuzzParse holds the envelope against jsontext: whatever is accepted is JSON for it too, and is
// refused as no JSON only when it says so; every valid request keeps its meaning when it is
// written again, and every id comes back byte for byte.
func FuzzParse(f *testing.F) {
	for _, c := range members {
		if len(c.text) < 2000 {
			f.Add([]byte(c.text))
			f.Add([]byte("[" + c.text + "," + call + "]"))
		}
	}
	for _, body := range []string{``, ` `, `{`, `[`, `[]`, `[1,2]`, call + call, call + "\n", `[` + call + `,]`, "\"\xff\"", `{"id":"\ud800"}`} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		before := bytes.Clone(body)
		reqs, batch, err := jsonrpc.Parse(body, jsonrpc.Limits{}, nil)
		if !bytes.Equal(body, before) {
			t.Fatal("the body was changed")
		}
		if err != nil {
			refused(t, body, err)
			return
		}
		if !valid(body) {
			t.Fatalf("%q is accepted, but no JSON", body)
		}
		if n := len(reqs); n == 0 || !batch && n != 1 {
			t.Fatalf("%q: %d requests, batch %v", body, n, batch)
		}
		for _, r := range reqs {
			if r.Fault == nil {
				again(t, r)
			}
			echo(t, r.ID)
		}
	})
}

func valid(body []byte) bool {
	return jsontext.Value(body).IsValid(jsontext.AllowDuplicateNames(true))
}

func refused(t *testing.T, body []byte, err error) {
	var e *rpcerrors.Error
	switch {
	case !errors.As(err, &e):
		t.Fatalf("%q: a private error: %v", body, err)
	case e.Code() == -32700 && valid(body) && !bytes.Contains([]byte(e.Error()), []byte("nested deeper")):
		t.Fatalf("%q is JSON, but %v", body, err)
	case e.Code() != -32700 && e.Code() != -32600:
		t.Fatalf("%q: code %d", body, e.Code())
	}
}

// again writes r as a request and reads it back.
func again(t *testing.T, r jsonrpc.Request) {
	method, err := json.Marshal(string(r.Method))
	if err != nil {
		t.Fatal(err)
	}
	text := slices.Concat([]byte(`{"jsonrpc":"2.0","method":`), method)
	if r.ID != nil {
		text = slices.Concat(text, []byte(`,"id":`), r.ID)
	}
	if r.Params != nil {
		text = slices.Concat(text, []byte(`,"params":`), r.Params)
	}
	back, batch, err := jsonrpc.Parse(append(text, '}'), jsonrpc.Limits{}, nil)
	if err != nil || batch || back[0].Fault != nil {
		t.Fatalf("%s}: %v", text, err)
	}
	if b := back[0]; show(b.ID) != show(r.ID) || show(b.Method) != show(r.Method) || show(b.Params) != show(r.Params) {
		t.Fatalf("%q became %q", r, b)
	}
}

// echo answers with id and reads the answer with another parser.
func echo(t *testing.T, id []byte) {
	for _, answer := range [][]byte{
		jsonrpc.AppendResult(nil, id, []byte(`{}`)),
		jsonrpc.AppendError(nil, id, rpcerrors.InvalidRequest.New("")),
	} {
		var v struct {
			JSONRPC string         `json:"jsonrpc"`
			ID      jsontext.Value `json:"id"`
			Result  jsontext.Value `json:"result"`
			Error   jsontext.Value `json:"error"`
		}
		if err := json.Unmarshal(answer, &v, json.RejectUnknownMembers(true)); err != nil {
			t.Fatalf("%s: %v", answer, err)
		}
		if want := cmpID(id); string(v.ID) != want {
			t.Fatalf("the id %q came back as %q", want, v.ID)
		}
	}
}

func cmpID(id []byte) string {
	if id == nil {
		return "null"
	}
	return string(id)
}
