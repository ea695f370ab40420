package main

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"math"

	"github.com/facet-rpc/facet/rpc"
)

// SimpleText answers a sentence.
func (Everything) SimpleText() rpc.Content {
	return rpc.Content{rpc.TextBlock("This is a simple text response for testing.")}
}

// ImageContent answers a red square.
func (Everything) ImageContent() (rpc.Content, error) {
	picture, err := redSquare()
	return rpc.Content{rpc.ImageBlock("image/png", picture)}, err
}

// AudioContent answers a tone of a tenth of a second.
func (Everything) AudioContent() rpc.Content {
	return rpc.Content{rpc.AudioBlock("audio/wav", tone(440, 800))}
}

// EmbeddedResource answers a document that is text.
func (Everything) EmbeddedResource() rpc.Content {
	return rpc.Content{rpc.ResourceBlock("test://embedded-resource", "text/plain", "This is an embedded resource content.")}
}

// ResourceLink answers where a document is.
func (Everything) ResourceLink() rpc.Content {
	return rpc.Content{rpc.LinkBlock("https://modelcontextprotocol.io/specification", "specification", "The protocol", "text/html")}
}

// MultipleContentTypes answers a text, a picture and a document.
func (Everything) MultipleContentTypes() (rpc.Content, error) {
	picture, err := redSquare()
	return rpc.Content{
		rpc.TextBlock("Multiple content types test:"),
		rpc.ImageBlock("image/png", picture),
		rpc.ResourceBlock("test://mixed-content-resource", "application/json", `{"test":"data","value":123}`),
	}, err
}

// redSquare is a picture of 8 × 8 pixels.
func redSquare() ([]byte, error) {
	square := image.NewPaletted(image.Rect(0, 0, 8, 8), color.Palette{color.RGBA{R: 255, A: 255}})
	var out bytes.Buffer
	err := png.Encode(&out, square)
	return out.Bytes(), err
}

// tone is a WAV file: one channel, 8000 samples of 8 bits a second.
func tone(hertz float64, samples int) []byte {
	const rate = 8000
	out := append([]byte(nil), "RIFF"...)
	out = binary.LittleEndian.AppendUint32(out, uint32(36+samples))
	out = append(out, "WAVEfmt "...)
	out = binary.LittleEndian.AppendUint32(out, 16)   // bytes of the format
	out = binary.LittleEndian.AppendUint16(out, 1)    // PCM
	out = binary.LittleEndian.AppendUint16(out, 1)    // channels
	out = binary.LittleEndian.AppendUint32(out, rate) // samples a second
	out = binary.LittleEndian.AppendUint32(out, rate) // bytes a second
	out = binary.LittleEndian.AppendUint16(out, 1)    // bytes of a sample
	out = binary.LittleEndian.AppendUint16(out, 8)    // bits of a sample
	out = append(out, "data"...)
	out = binary.LittleEndian.AppendUint32(out, uint32(samples))
	for i := range samples {
		out = append(out, byte(128+100*math.Sin(2*math.Pi*hertz*float64(i)/rate)))
	}
	return out
}
