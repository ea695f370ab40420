package main

import (
	"embed"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/mcp"
	"go.uber.org/zap"
)

// sources are the files whose comments document the tools.
//
//go:embed blocks.go everything.go params.go work.go
var sources embed.FS

// Everything has a tool for every kind of answer.
type Everything struct{ log *zap.Logger }

// RPC says how the tools are published: under the names that the conformance
// suite calls. It calls the first one without arguments.
func (e Everything) RPC() rpc.Service {
	return rpc.Service{
		Bare:   true,
		Groups: []string{mcp.Group},
		Methods: []rpc.Method{
			{Func: e.SimpleText, Name: "test_simple_text", Hints: rpc.Hints{ReadOnly: rpc.Yes}},
			{Func: e.ImageContent, Name: "test_image_content", Hints: rpc.Hints{ReadOnly: rpc.Yes}},
			{Func: e.AudioContent, Name: "test_audio_content", Hints: rpc.Hints{ReadOnly: rpc.Yes}},
			{Func: e.EmbeddedResource, Name: "test_embedded_resource", Hints: rpc.Hints{ReadOnly: rpc.Yes}},
			{Func: e.ResourceLink, Name: "test_resource_link", Hints: rpc.Hints{ReadOnly: rpc.Yes}},
			{Func: e.MultipleContentTypes, Name: "test_multiple_content_types", Hints: rpc.Hints{ReadOnly: rpc.Yes}},
			{Func: e.ErrorHandling, Name: "test_error_handling", Errors: []rpcerrors.Declared{Intended}},
			{Func: e.ToolWithProgress, Name: "test_tool_with_progress"},
			{Func: e.LoggingTool, Name: "test_logging_tool"},
			{Func: e.Contact, Name: "json_schema_2020_12_tool"},
			{Func: e.XMcpHeader, Name: "test_x_mcp_header"},
		},
	}
}

func app() rpc.App {
	return rpc.App{
		Name:        "mcp-everything",
		Title:       "Everything a tool can answer",
		Version:     "1.0.0",
		Description: "One tool for every kind of answer.",
		Sources:     []rpc.Source{rpc.SourceOf[Everything](sources)},
		Enums:       []rpc.Enum{rpc.EnumOf(Phone, Email)},
	}
}
