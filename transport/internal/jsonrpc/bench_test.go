package jsonrpc_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/transport/internal/jsonrpc"
)

func BenchmarkParse(b *testing.B) {
	for _, c := range []struct{ name, body string }{
		{"add", call},
		{"batch50", calls(50)},
		{"string1M", `{"jsonrpc":"2.0","id":1,"method":"T.echo","params":{"s":"` + strings.Repeat("0123456789abcdef", 65536) + `"}}`},
	} {
		b.Run(c.name, func(b *testing.B) {
			body := []byte(c.body)
			dst := make([]jsonrpc.Request, 0, 100)
			b.ReportAllocs()
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				if _, _, err := jsonrpc.Parse(body, jsonrpc.Limits{}, dst); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkAppendResult(b *testing.B) {
	dst := make([]byte, 0, 100)
	id, result := []byte(`1`), []byte(`42`)
	b.ReportAllocs()
	for b.Loop() {
		dst = jsonrpc.AppendResult(dst[:0], id, result)
	}
}

// Grows linearly with the batch.
func BenchmarkRun(b *testing.B) {
	for _, n := range []int{1, 10, 50} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			ctx := b.Context()
			for b.Loop() {
				jsonrpc.Run(ctx, n, 8, nil, func(int, int) {})
			}
		})
	}
}
