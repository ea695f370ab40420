package mcp

import (
	"github.com/facet-rpc/facet/rpc"
	"github.com/go-json-experiment/json"
)

// contentFor is the JSON of blocks in the form of a version. Older versions
// lack some blocks; what they stand for is then told as text.
func contentFor(v version, blocks []byte) []byte {
	if v >= v20250618 {
		return blocks
	}
	var content rpc.Content
	if err := json.Unmarshal(blocks, &content); err != nil {
		return blocks
	}
	for i, b := range content {
		switch {
		case b.Type == "resource_link": // since 2025-06-18
			content[i] = rpc.TextBlock(b.Name + " " + b.URI)
		case b.Type == "audio" && v < v20250326:
			content[i] = rpc.TextBlock("[" + b.MimeType + "]")
		}
	}
	out, err := json.Marshal(content, json.Deterministic(true))
	if err != nil {
		return blocks
	}
	return out
}
