package scan_test

import (
	"strings"
	"testing"

	"github.com/facet-rpc/facet/rpc/scan"
)

// order is about 1 KB of ordinary parameters.
var order = `{"address":{"city":"London","country":"GB","street":"12 Analytical Way","zip":"N1 7AA"},` +
	`"customer":{"email":"ada@example.org","id":77,"name":"Ada Lovelace"},"lines":[` +
	strings.TrimSuffix(strings.Repeat(`{"name":" Widget number 7, blue ","qty":3,"sku":"sku-0007-ab","unitPrice":9.25},`, 10), ",") +
	`],"number":"SO-2026-000123"}`

func BenchmarkSkip(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"order", order},
		{"string1M", `"` + strings.Repeat("0123456789abcdef", 65536) + `"`},
		{"cyrillic1M", `"` + strings.Repeat("привіт, світ ", 45590) + `"`},
		{"brackets1M", strings.Repeat("[", 1<<20)},
	} {
		b.Run(c.name, func(b *testing.B) {
			text := []byte(c.text)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				s := scan.Scanner{Src: text}
				_ = s.Skip(0)
			}
		})
	}
}
