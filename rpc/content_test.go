package rpc_test

import (
	"testing"

	"github.com/facet-rpc/facet/rpc"
)

// What a block must have is there, also when it is empty, and nothing else.
func TestContent(t *testing.T) {
	p := start(t, rpc.Options{}, rpc.Method{Name: "get", Func: func() rpc.Content {
		return rpc.Content{
			rpc.TextBlock(""), rpc.ImageBlock("image/png", []byte{1}), rpc.AudioBlock("audio/wav", nil),
			rpc.LinkBlock("file:///a", "a", "", "text/plain"), rpc.ResourceBlock("file:///b", "text/plain", ""), rpc.BlobBlock("file:///c", "", nil),
		}
	}})
	want := `[{"type":"text","text":""},{"type":"image","data":"AQ==","mimeType":"image/png"},{"type":"audio","data":"","mimeType":"audio/wav"},` +
		`{"type":"resource_link","mimeType":"text/plain","uri":"file:///a","name":"a"},` +
		`{"type":"resource","resource":{"uri":"file:///b","mimeType":"text/plain","text":""}},{"type":"resource","resource":{"uri":"file:///c","blob":""}}]`
	if got := p.run("get", ""); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
