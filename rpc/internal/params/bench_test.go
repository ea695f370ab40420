package params_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/rpc/internal/params"
	"github.com/go-json-experiment/json"
)

type (
	addParams struct {
		A int `json:"a"`
		B int `json:"b"`
	}
	searchParams struct {
		Query string `json:"query" validate:"required,max=200"`
		Limit int    `json:"limit" validate:"min=1,max=100"`
	}
	orderAddress struct {
		Street  string `json:"street" validate:"required,max=120"`
		City    string `json:"city" validate:"required,max=80"`
		Zip     string `json:"zip" validate:"required,min=3,max=12"`
		Country string `json:"country" validate:"required,len=2"`
	}
	orderCustomer struct {
		ID    int    `json:"id" validate:"min=1"`
		Name  string `json:"name" validate:"required,max=100"`
		Email string `json:"email" validate:"required,min=5,max=120"`
	}
	orderLine struct {
		SKU       string  `json:"sku" validate:"required,max=32"`
		Name      string  `json:"name" validate:"required,max=100"`
		Qty       int     `json:"qty" validate:"min=1,max=1000"`
		UnitPrice float64 `json:"unitPrice" validate:"min=0"`
	}
	orderParams struct {
		Number   string        `json:"number" validate:"required,max=40"`
		Customer orderCustomer `json:"customer" validate:"required"`
		Address  orderAddress  `json:"address" validate:"required"`
		Lines    []orderLine   `json:"lines" validate:"required,min=1,max=100,dive"`
	}
)

// varied are texts of one shape with other strings and numbers each: equal
// ones would flatter the caches of the CPU and of json/v2.
func varied(one func(r *rand.Rand, word func(n int) string) string) (all [][]byte) {
	r := newRand(1)
	word := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteByte("abcdefghijklmnopqrstuvwxyz 0123456789"[r.IntN(37)])
		}
		return b.String()
	}
	for range 64 {
		all = append(all, []byte(one(r, word)))
	}
	return all
}

func orderText(r *rand.Rand, word func(int) string) string {
	var lines []string
	for range 10 {
		lines = append(lines, fmt.Sprintf(`{"sku":"sku-%s","name":"Widget %s","qty":%d,"unitPrice":%d.%02d}`, word(6), word(14), 1+r.IntN(900), r.IntN(500), r.IntN(100)))
	}
	return fmt.Sprintf(`{"number":"SO-2026-%s","customer":{"id":%d,"name":"Ada %s","email":"%s@example.org"},"address":{"street":"12 %s Way","city":"%s","zip":"N1 7AA","country":"GB"},"lines":[%s]}`,
		word(8), 1+r.IntN(9999), word(9), word(7), word(10), word(7), strings.Join(lines, ","))
}

func BenchmarkParams(b *testing.B) {
	add := varied(func(r *rand.Rand, _ func(int) string) string {
		return fmt.Sprintf(`{"a":%d,"b":%d}`, r.IntN(1e6), r.IntN(1e6))
	})
	search := varied(func(r *rand.Rand, word func(int) string) string {
		return fmt.Sprintf(`{"query":"%s","limit":%d}`, word(12), 1+r.IntN(99))
	})
	b.Run("add", func(b *testing.B) { benchmark(b, compile[addParams](b), add) })
	b.Run("add by position", func(b *testing.B) {
		benchmark(b, compile[addParams](b), varied(func(r *rand.Rand, _ func(int) string) string { return fmt.Sprintf(`[%d,%d]`, r.IntN(1e6), r.IntN(1e6)) }))
	})
	b.Run("search", func(b *testing.B) { benchmark(b, compile[searchParams](b), search) })
	b.Run("order", func(b *testing.B) { benchmark(b, compile[orderParams](b), varied(orderText)) })
	b.Run("order, decoded only", func(b *testing.B) {
		p, texts := compile[orderParams](b), varied(orderText)
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			if bad, err := p.Decode(texts[i%len(texts)], p.New(), true); err != nil || len(bad) > 0 {
				b.Fatal(bad, err)
			}
		}
	})
	b.Run("order by json v2, not checked", func(b *testing.B) { // the reference
		texts := varied(orderText)
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			var p orderParams
			if err := json.Unmarshal(texts[i%len(texts)], &p, json.RejectUnknownMembers(true)); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("any", func(b *testing.B) {
		benchmark(b, compile[one[any]](b), varied(func(r *rand.Rand, word func(int) string) string { return `{"v":` + orderText(r, word) + `}` }))
	})
	b.Run("map", func(b *testing.B) {
		benchmark(b, compile[one[map[string]int]](b), varied(func(r *rand.Rand, word func(int) string) string {
			return fmt.Sprintf(`{"v":{"1%s":1,"2%s":2,"3%s":3}}`, word(5), word(5), word(5))
		}))
	})
}

func benchmark(b *testing.B, p *params.Plan, texts [][]byte) {
	b.ReportAllocs()
	b.SetBytes(int64(len(texts[0])))
	for i := 0; b.Loop(); i++ {
		v := p.New()
		bad, err := p.Decode(texts[i%len(texts)], v, true)
		if err == nil && p.Ruled() {
			bad = p.Check(v, bad)
		}
		if err != nil || len(bad) > 0 {
			b.Fatal(bad, err)
		}
	}
}
