package mcp

import (
	"fmt"
	"reflect"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/rpc/schema"
	"github.com/go-json-experiment/json/jsontext"
)

// form is how a version writes tools.
type form uint8

// The forms, each with all of the one before.
const (
	form2024  form = iota // name, description, inputSchema
	form2025              // annotations
	formTyped             // title, outputSchema
	form2026              // lists say how long they last
)

func formOf(v version) form {
	switch {
	case v >= v20260728:
		return form2026
	case v >= v20250618:
		return formTyped
	case v >= v20250326:
		return form2025
	}
	return form2024
}

// appendTool appends the definition of a tool (server, tools, "Tool").
func (c *catalogue) appendTool(out []byte, s *rpc.Spec, lang string, shown *view, f form) ([]byte, error) {
	e := c.door.Endpoint()
	title := e.Title(s, lang)
	out = appendString(append(out, `{"name":`...), shown.tool(s.Name()))
	if f >= formTyped {
		out = appendString(append(out, `,"title":`...), title)
	}
	description := e.Description(s, lang)
	if description == "" {
		description = title // some clients drop a tool without one
	}
	out = appendString(append(out, `,"description":`...), description)
	input, err := c.input(s, lang, shown, f)
	if err != nil {
		return nil, fmt.Errorf("mcp: the inputSchema of %s: %w", s.Name(), err)
	}
	output, err := outputSchema(c.model, s, schema.Style{Inline: shown.inline})
	if err != nil {
		return nil, fmt.Errorf("mcp: the outputSchema of %s: %w", s.Name(), err)
	}
	out = append(append(out, `,"inputSchema":`...), input...)
	if f >= formTyped && output != nil {
		out = append(append(out, `,"outputSchema":`...), output...)
	}
	if f >= form2025 {
		out = appendHints(out, s.Declared.Hints)
	}
	return append(out, '}'), nil
}

// appendHints appends annotations for the hints that are set; their defaults
// differ, so nothing is written for the others.
func appendHints(out []byte, h rpc.Hints) []byte {
	if h == (rpc.Hints{}) {
		return out
	}
	out = append(out, `,"annotations":{`...)
	start := len(out)
	for _, hint := range []struct {
		name string
		is   rpc.Hint
	}{
		{"readOnlyHint", h.ReadOnly}, {"destructiveHint", h.Destructive},
		{"idempotentHint", h.Idempotent}, {"openWorldHint", h.OpenWorld},
	} {
		if hint.is == rpc.Unset {
			continue
		}
		if len(out) > start {
			out = append(out, ',')
		}
		out = appendString(out, hint.name)
		if hint.is == rpc.Yes {
			out = append(out, ":true"...)
		} else {
			out = append(out, ":false"...)
		}
	}
	return append(out, '}')
}

// input is the schema of the arguments: an object that stands on its own.
func (c *catalogue) input(s *rpc.Spec, lang string, shown *view, f form) ([]byte, error) {
	style := schema.Style{Inline: shown.inline, Describe: func(param string) string {
		if i := s.Params.Lookup([]byte(param)); i >= 0 {
			return c.door.Endpoint().ParamText(s, &s.Params.Fields[i], lang)
		}
		return ""
	}}
	if f >= form2026 {
		style.Extra = mirrorKeyword
	}
	return schema.Encode(c.model.InputObject(s.Params, style))
}

// outputSchema is the schema of the structured content, nil for a result of
// which nothing is known before, and for blocks.
func outputSchema(model *schema.Model, s *rpc.Spec, style schema.Style) ([]byte, error) {
	if s.Result == nil || s.Result.Go == reflect.TypeFor[rpc.Content]() {
		return nil, nil
	}
	if out := model.OutputObject(s.Result, style); out != nil {
		return schema.Encode(out)
	}
	return nil, nil
}

func appendString(out []byte, s string) []byte {
	out, _ = jsontext.AppendQuote(out, s) // invalid UTF-8 becomes U+FFFD
	return out
}
