package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"image/png"
	"io"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	gin.SetMode(gin.ReleaseMode)
	goleak.VerifyTestMain(m)
}

// The program says where it listens, serves, and ends with its context.
func TestRun(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	read, write := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- run(ctx, write, "127.0.0.1:0")
		_ = write.Close()
	}()
	line := make([]byte, 200)
	n, err := read.Read(line)
	if err != nil {
		t.Fatal(err, <-ended)
	}
	url := strings.TrimSpace(strings.TrimPrefix(string(line[:n]), "Tools at "))
	session := connect(t, url, "", "2026-07-28", nil)
	if tools, err := session.ListTools(t.Context(), nil); err != nil || tools.Tools[0].Name != "test_simple_text" {
		t.Errorf("%+v %v", tools, err)
	}
	_ = session.Close()
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if err := run(t.Context(), io.Discard, "nowhere"); err == nil {
		t.Error("listens nowhere")
	}
}

// Pictures and sounds are what their types say.
func TestMedia(t *testing.T) {
	session := connect(t, serve(t, open).url, "", "2026-07-28", nil)
	defer func() { _ = session.Close() }()
	block := func(tool string) sdk.Content {
		result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: tool})
		if err != nil || len(result.Content) != 1 {
			t.Fatalf("%s: %+v %v", tool, result, err)
		}
		return result.Content[0]
	}
	if image, ok := block("test_image_content").(*sdk.ImageContent); !ok || image.MIMEType != "image/png" {
		t.Errorf("%+v", image)
	} else if picture, err := png.Decode(bytes.NewReader(image.Data)); err != nil || picture.Bounds().Dx() != 8 {
		t.Error(picture, err)
	}
	audio, ok := block("test_audio_content").(*sdk.AudioContent)
	if !ok || audio.MIMEType != "audio/wav" || len(audio.Data) != 44+800 || int(binary.LittleEndian.Uint32(audio.Data[4:])) != len(audio.Data)-8 {
		t.Errorf("%+v", audio)
	}
	if link, ok := block("test_resource_link").(*sdk.ResourceLink); !ok || link.Name != "specification" {
		t.Errorf("%+v", link)
	}
	if document, ok := block("test_embedded_resource").(*sdk.EmbeddedResource); !ok || document.Resource.URI != "test://embedded-resource" {
		t.Errorf("%+v", document)
	}
}
