package pagetest

import (
	"bytes"
	"context"
	"flag"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

var pictures = flag.String("pictures", "", "the `folder` that pictures of the page are written to, such as ../../docs/images")

// largest is the most bytes that a picture may have in the documentation.
const largest = 250_000

// TestPictures takes the pictures of docs/page.md.
func TestPictures(t *testing.T) {
	if *pictures == "" {
		t.Log("no -pictures, so none are taken")
		return
	}
	site := openShop(t)
	for _, p := range []struct {
		name          string
		width, height int64
		scheme, at    string
		play          func(*tab)
	}{
		{"page", 1440, 900, "light", "#Catalog.search", nil},
		{"page-overview", 1440, 900, "light", "", nil},
		{"page-dark", 1440, 900, "dark", "?d=v2#Catalog.find", nil},
		{"page-try", 1440, 900, "light", "#Orders.create", refusedOrder},
		{"page-phone", 390, 844, "light", "#Orders.create", nil},
		{"page-phone-dark", 390, 844, "dark", "#Orders.create", func(b *tab) { b.click(".tabs button", "Try it") }},
		{"page-search", 1440, 900, "dark", "", func(b *tab) { b.fill("#search", "order") }},
	} {
		t.Run(p.name, func(t *testing.T) {
			b := newTab(t, p.width, p.height)
			b.run(chromedp.ActionFunc(func(ctx context.Context) error {
				return emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{
					{Name: "prefers-color-scheme", Value: p.scheme}, {Name: "prefers-reduced-motion", Value: "reduce"},
				}).Do(ctx)
			}), chromedp.EmulateViewport(p.width, p.height, chromedp.EmulateScale(1.25)))
			b.open(site, p.at)
			if p.play != nil {
				p.play(b)
			}
			b.shoot(filepath.Join(*pictures, p.name+".png"))
		})
	}
	b := newTab(t, 1440, 900)
	b.run(chromedp.Navigate(site + "/openrpc/ui"))
	b.until("!!document.querySelector('.gate')")
	b.shoot(filepath.Join(*pictures, "page-token.png"))
}

// refusedOrder sends an order that the shop refuses.
func refusedOrder(b *tab) {
	b.click(".tabs button", "Try it")
	b.until("!!document.querySelector('.item input')")
	b.fill(".item input", "tea")
	b.click(".try button", "Send")
	b.until("!!document.querySelector('.answer')")
}

func (b *tab) shoot(path string) {
	b.t.Helper()
	var shot []byte
	b.run(chromedp.ActionFunc(func(ctx context.Context) (err error) {
		shot, err = page.CaptureScreenshot().WithFormat(page.CaptureScreenshotFormatPng).WithOptimizeForSpeed(false).Do(ctx)
		return err
	}))
	picture, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		b.t.Fatal(err)
	}
	var small bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&small, picture); err != nil {
		b.t.Fatal(err)
	}
	if small.Len() > largest {
		b.t.Errorf("%s has %d bytes, more than %d", path, small.Len(), largest)
	}
	if err := os.WriteFile(path, small.Bytes(), 0o644); err != nil {
		b.t.Fatal(err)
	}
}
