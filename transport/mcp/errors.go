package mcp

import (
	"strconv"
	"strings"

	rpcerrors "github.com/facet-rpc/facet/errors"
)

// The kinds that the protocol adds (2026-07-28, basic, "Error Codes").
var (
	headerMismatch     = rpcerrors.Protocol(-32020, "HeaderMismatch", "The headers do not fit the body.")
	unsupportedVersion = rpcerrors.Protocol(-32022, "UnsupportedProtocolVersion", "Unsupported protocol version.")
)

// versions is the data of an unsupportedVersion.
type versions struct {
	Supported []string `json:"supported"`
	Requested string   `json:"requested"`
}

func unsupported(requested string) *rpcerrors.Error {
	return unsupportedVersion.With("", versions{supportedVersions(), requested})
}

func invalidRequest(why string) *rpcerrors.Error {
	return rpcerrors.InvalidRequest.New("Invalid request: " + why)
}

func invalidParams(why string) *rpcerrors.Error {
	return rpcerrors.InvalidParams.New("Invalid params: " + why)
}

// methodNotFound names a method of the protocol, not one of the application.
func methodNotFound(method []byte) *rpcerrors.Error {
	return rpcerrors.MethodNotFound.New("Method not found: " + quoteName(method) + ".")
}

// unknownTool is the answer for a tool that is not there and for one that the
// caller may not see: nothing tells them apart.
func unknownTool(name []byte) *rpcerrors.Error {
	return rpcerrors.InvalidParams.New("Unknown tool: " + shorten(name))
}

// longestName is how much of a stranger's name is sent back, in bytes.
const longestName = 128

func shorten(name []byte) string {
	if len(name) > longestName {
		return strings.ToValidUTF8(string(name[:longestName]), "") + "…"
	}
	return string(name)
}

func quoteName(name []byte) string { return strconv.Quote(shorten(name)) }

// public is the fault of an envelope, which [jsonrpc.Parse] made public.
func public(err error) *rpcerrors.Error { return rpcerrors.From(err) }
