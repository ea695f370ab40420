package floor

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
)

type request struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
}

type response struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result,omitempty"`
	Error   *Error          `json:"error,omitempty"`
}

const maxBody = 8 << 20

// ServeHTTP answers JSON-RPC 2.0: a request or a batch.
func (d *Dispatcher) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, ok := read(w, r)
	if !ok {
		return
	}
	if text := bytes.TrimLeft(body, " \t\r\n"); len(text) > 0 && text[0] == '[' {
		d.batch(w, r, body)
		return
	}
	var req request
	if err := json.Unmarshal(body, &req); err != nil {
		unreadable(w)
		return
	}
	resp := d.one(r.Context(), &req)
	if req.ID == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	write(w, resp)
}

func (d *Dispatcher) batch(w http.ResponseWriter, r *http.Request, body []byte) {
	var reqs []request
	if err := json.Unmarshal(body, &reqs); err != nil {
		unreadable(w)
		return
	}
	out := make([]response, 0, len(reqs))
	for i := range reqs {
		if resp := d.one(r.Context(), &reqs[i]); reqs[i].ID != nil {
			out = append(out, resp)
		}
	}
	write(w, out)
}

func (d *Dispatcher) one(ctx context.Context, req *request) response {
	resp := response{Version: "2.0", ID: req.ID}
	if req.Version != "2.0" {
		resp.Error = &Error{-32600, "invalid request"}
		return resp
	}
	resp.Result, resp.Error = d.Call(ctx, req.Method, req.Params)
	return resp
}

func read(w http.ResponseWriter, r *http.Request) (body []byte, ok bool) {
	if r.Method != http.MethodPost {
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		return nil, false
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return nil, false
	}
	return body, true
}

func unreadable(w http.ResponseWriter) {
	write(w, response{Version: "2.0", ID: json.RawMessage("null"), Error: &Error{-32700, "parse error"}})
}

func write(w http.ResponseWriter, v any) {
	b, err := json.Marshal(v)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(b)
}
