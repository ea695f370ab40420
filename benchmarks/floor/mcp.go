package floor

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// Tools serves the method search as MCP tools: no sessions, no checks of
// headers, and a list that was made beforehand. It does not know versions, so
// that it answers requests of both eras.
type Tools struct {
	dispatcher *Dispatcher
	names      map[string]bool
	list       json.RawMessage
}

// The schemas of search, as a careful author writes them.
const (
	InputSchema = `{"type":"object","properties":{` +
		`"query":{"type":"string","minLength":1,"maxLength":200},` +
		`"limit":{"type":"integer","minimum":1,"maximum":100}},` +
		`"required":["query","limit"],"additionalProperties":false}`
	OutputSchema = `{"type":"object","properties":{"result":{"type":"array","items":{"type":"object","properties":{` +
		`"id":{"type":"integer"},"name":{"type":"string"},"price":{"type":"number"},` +
		`"tags":{"type":"array","items":{"type":"string"}}},` +
		`"required":["id","name","price","tags"]}}},"required":["result"]}`
)

// NewTools makes tools of the given names.
func NewTools(names []string) *Tools {
	t := &Tools{New([]string{"bench"}), map[string]bool{}, nil}
	var all []string
	for _, n := range names {
		t.names[n] = true
		all = append(all, fmt.Sprintf(`{"name":%q,"description":"Finds ten products.","inputSchema":%s,"outputSchema":%s}`, n, InputSchema, OutputSchema))
	}
	t.list = json.RawMessage(`{"tools":[` + strings.Join(all, ",") + `]}`)
	return t
}

type toolCall struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

type toolResult struct {
	Content    []toolText      `json:"content"`
	Structured json.RawMessage `json:"structuredContent"`
}

type toolText struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type structured struct {
	Result any `json:"result"`
}

// ServeHTTP answers one message.
func (t *Tools) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, ok := read(w, r)
	if !ok {
		return
	}
	var req request
	if err := json.Unmarshal(body, &req); err != nil {
		unreadable(w)
		return
	}
	resp := response{Version: "2.0", ID: req.ID}
	switch req.Method {
	case "tools/list":
		resp.Result = t.list
	case "tools/call":
		resp.Result, resp.Error = t.call(r, req.Params)
	default:
		resp.Error = &Error{-32601, "method not found"}
	}
	write(w, resp)
}

func (t *Tools) call(r *http.Request, params json.RawMessage) (any, *Error) {
	var c toolCall
	if err := json.Unmarshal(params, &c); err != nil {
		return nil, wrong(err)
	}
	if !t.names[c.Name] {
		return nil, &Error{-32602, "unknown tool"}
	}
	result, failure := t.dispatcher.search(r.Context(), c.Arguments)
	if failure != nil {
		return nil, failure
	}
	b, err := json.Marshal(structured{result})
	if err != nil {
		return nil, &Error{-32603, err.Error()}
	}
	return toolResult{[]toolText{{"text", string(b)}}, b}, nil
}
