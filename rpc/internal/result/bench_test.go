package result_test

import (
	"bytes"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

type item struct {
	ID    int      `json:"id"`
	Name  string   `json:"name"`
	Price float64  `json:"price"`
	Tags  []string `json:"tags"`
}

type line struct {
	SKU   string  `json:"sku"`
	Name  string  `json:"name"`
	Qty   int     `json:"qty"`
	Total float64 `json:"total"`
}

type order struct {
	Number string  `json:"number"`
	Total  float64 `json:"total"`
	Lines  []line  `json:"lines"`
}

// varied is how many different values a benchmark goes through.
const varied = 64

func orders() []order {
	all := make([]order, varied)
	for i := range all {
		o := &all[i]
		o.Number = "2026-" + strconv.Itoa(100000+i*7)
		for j := range 6 {
			n := i*6 + j
			o.Lines = append(o.Lines, line{
				SKU: "SKU-" + strconv.Itoa(1000+n*13), Name: "Running shoes, size " + strconv.Itoa(36+n%12) + ", colour " + strconv.Itoa(n),
				Qty: 1 + n%9, Total: float64(1+n%9) * (10.25 + float64(n)/10),
			})
			o.Total += o.Lines[j].Total
		}
	}
	return all
}

func searches() [][]item {
	all := make([][]item, varied)
	for i := range all {
		for j := range 10 {
			all[i] = append(all[i], item{ID: 1000 + i*10 + j, Name: "red shoes " + strconv.Itoa(i) + " #" + strconv.Itoa(j),
				Price: 10.25 + float64(i*j), Tags: []string{"new", "sale", "catalog"}})
		}
	}
	return all
}

// against measures values encoded by the plan and by json/v2.
func against[T any](b *testing.B, values []T) {
	p := planOf(b, reflect.TypeFor[T]())
	b.Run("plan", func(b *testing.B) {
		b.ReportAllocs()
		dst := make([]byte, 0, 2<<20)
		i := 0
		for b.Loop() {
			out, _, err := p.Append(dst, reflect.ValueOf(&values[i%len(values)]).Elem())
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(out)))
			i++
		}
	})
	b.Run("v2", func(b *testing.B) {
		b.ReportAllocs()
		options := json.JoinOptions(json.Deterministic(true), jsontext.PreserveRawStrings(true))
		dst := bytes.NewBuffer(make([]byte, 0, 2<<20))
		i := 0
		for b.Loop() {
			dst.Reset()
			if err := json.MarshalWrite(dst, &values[i%len(values)], options); err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(dst.Len()))
			i++
		}
	})
}

func BenchmarkOrder(b *testing.B)  { against(b, orders()) }
func BenchmarkSearch(b *testing.B) { against(b, searches()) }

func BenchmarkMegabyte(b *testing.B) {
	text := make([]string, 4)
	for i := range text {
		text[i] = strings.Repeat("0123456789abcde"+strconv.Itoa(i), 1<<16)
	}
	against(b, text)
	b.Run("memcpy", func(b *testing.B) {
		dst := make([]byte, 0, 2<<20)
		i := 0
		for b.Loop() {
			dst = append(dst[:0], text[i%len(text)]...)
			b.SetBytes(int64(len(dst)))
			i++
		}
	})
}

// texts of 64 KiB, plain and full of what must be escaped.
func texts() map[string]string {
	const size = 64 << 10
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	return map[string]string{
		"plain": fill("0123456789abcdef"), "columns": fill(strings.Repeat("0123456789abcdef", 5)[:79] + "\n"),
		"newlines": fill("\n"), "quotes": fill(`"`), "nul": fill("\x00"), "cyrillic": fill("привіт, світ "),
	}
}

func BenchmarkText(b *testing.B) {
	p := planOf(b, reflect.TypeFor[string]())
	for _, name := range []string{"plain", "columns", "newlines", "quotes", "nul", "cyrillic"} {
		b.Run(name, func(b *testing.B) {
			text := texts()[name]
			dst := make([]byte, 0, 8*len(text))
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, _, err := p.Append(dst, reflect.ValueOf(&text).Elem()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
