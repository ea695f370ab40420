package load

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/facet-rpc/facet/benchmarks/peer"
	"github.com/facet-rpc/facet/benchmarks/work"
)

// era is one of the two ways to speak MCP.
type era uint8

const (
	noEra        era = iota
	sessionEra       // 2025-06-18, as after initialize
	statelessEra     // 2026-07-28, whose requests stand alone
)

// message is a request of an era. name is that of the tool, params are the
// inside of the object.
func message(s peer.Server, e era, id int, method, name, params string) Exchange {
	x := Exchange{Path: s.MCP.Path, Header: append(bearer(s.MCP.Token),
		[2]string{"Accept", "application/json, text/event-stream"})}
	version := "2025-06-18"
	if e == statelessEra {
		version = "2026-07-28"
		x.Header = append(x.Header, [2]string{"Mcp-Method", method})
		if name != "" {
			x.Header = append(x.Header, [2]string{"Mcp-Name", name})
		}
		if params != "" {
			params += ","
		}
		params += `"_meta":{"io.modelcontextprotocol/protocolVersion":"` + version + `",` +
			`"io.modelcontextprotocol/clientInfo":{"name":"load","version":"1"},` +
			`"io.modelcontextprotocol/clientCapabilities":{}}`
	}
	x.Header = append(x.Header, [2]string{"Mcp-Protocol-Version", version})
	x.Body = fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s}}`, id, method, params)
	return x
}

// callTool is tools/call of [peer.Tool].
func callTool(s peer.Server, e era, id int, c work.Call) Exchange {
	x := message(s, e, id, "tools/call", peer.Tool, fmt.Sprintf(`"name":%q,"arguments":%s`, peer.Tool, c.Params))
	x.Judge = func(b []byte) error {
		var a struct {
			answer
			Result called `json:"result"`
		}
		if err := json.Unmarshal(b, &a); err != nil {
			return err
		}
		if err := a.succeeded(id); err != nil {
			return err
		}
		return a.Result.judge(c.Result)
	}
	return x
}

// called is the result of tools/call.
type called struct {
	Content []struct {
		Type, Text string
	} `json:"content"`
	Structured map[string]any `json:"structuredContent"`
	IsError    bool           `json:"isError"`
}

// judge: the result stands twice, as structured content, where a list is in an
// object, and as text, where it may also stand by itself.
func (c *called) judge(want any) error {
	switch {
	case c.IsError:
		return fmt.Errorf("the tool failed: %.200v", c.Content)
	case len(c.Content) != 1 || c.Content[0].Type != "text":
		return fmt.Errorf("the content is %.200v, not one text", c.Content)
	case !reflect.DeepEqual(c.Structured["result"], want):
		return fmt.Errorf("the structured content is %.200v, not %.200v", c.Structured, want)
	}
	var text any
	if err := json.Unmarshal([]byte(c.Content[0].Text), &text); err != nil {
		return err
	}
	if object, ok := text.(map[string]any); ok {
		text = object["result"]
	}
	if !reflect.DeepEqual(text, want) {
		return fmt.Errorf("the text is %.200q, not %.200v", c.Content[0].Text, want)
	}
	return nil
}

// listTools is tools/list, where n are expected.
func listTools(s peer.Server, e era, n int) Exchange {
	x := message(s, e, 1, "tools/list", "", "")
	x.Judge = func(b []byte) error {
		var a struct {
			answer
			Result struct {
				Tools []struct {
					Name         string `json:"name"`
					InputSchema  struct{ Properties map[string]any }
					OutputSchema struct{ Properties map[string]any }
				} `json:"tools"`
			} `json:"result"`
		}
		if err := json.Unmarshal(b, &a); err != nil {
			return err
		}
		if err := a.succeeded(1); err != nil {
			return err
		}
		names := map[string]bool{}
		for _, t := range a.Result.Tools {
			names[t.Name] = true
			if len(t.InputSchema.Properties) != 2 || len(t.OutputSchema.Properties) != 1 {
				return fmt.Errorf("the schemas of %s are not those of search", t.Name)
			}
		}
		if len(names) != n {
			return fmt.Errorf("%d tools, not %d", len(names), n)
		}
		if !names[peer.Tool] {
			return errors.New("the tool " + peer.Tool + " is not in the list")
		}
		return nil
	}
	return x
}
