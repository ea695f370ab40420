package work

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// Variants is how many different calls there are of each method: servers and
// codecs that remember what they saw last are not flattered by one of them.
const Variants = 64

// Call is one call and what it must return.
type Call struct {
	Method string // echo, add, search or order
	Params []byte
	Result any // as JSON decodes it into an any
}

// Echoes are calls of echo with short strings.
func Echoes() []Call {
	return calls("echo", Variants, func(i int) (Echo, any) {
		p := Echo{fmt.Sprintf("hello, world number %d", i*7919)}
		return p, p.S
	})
}

// LargeEchoes are calls of echo with 1 MiB each.
func LargeEchoes() []Call {
	return calls("echo", 4, func(i int) (Echo, any) {
		p := Echo{strings.Repeat(fmt.Sprintf("%015d ", i), 1<<16)}
		return p, p.S
	})
}

// Adds are calls of add.
func Adds() []Call {
	return calls("add", Variants, func(i int) (Sum, any) {
		p := Sum{i * 1009, 2}
		sum, _ := Shop{}.Add(context.Background(), p)
		return p, sum
	})
}

// Searches are calls of search.
func Searches() []Call {
	return calls("search", Variants, func(i int) (Query, any) {
		p := Query{Query: fmt.Sprintf("red shoes %d", i*31), Limit: 10}
		found, _ := Shop{}.Search(context.Background(), p)
		return p, found
	})
}

// Orders are calls of order, about 1 KB each.
func Orders() []Call {
	return calls("order", Variants, func(i int) (Order, any) {
		p := order(i)
		invoice, _ := Shop{}.Order(context.Background(), p)
		return p, invoice
	})
}

func order(i int) Order {
	o := Order{
		Number:   fmt.Sprintf("SO-2026-%06d", i*101),
		Customer: Customer{ID: 77 + i, Name: "Ada Lovelace", Email: fmt.Sprintf("ada%d@example.org", i)},
		Address:  Address{Street: fmt.Sprintf("%d Analytical Way", 12+i), City: "London", Zip: "N1 7AA", Country: "GB"},
	}
	for n := range 10 {
		o.Lines = append(o.Lines, Line{
			SKU: fmt.Sprintf("sku-%04d-ab", 10*i+n), Name: fmt.Sprintf(" Widget number %d, blue ", i+n),
			Quantity: n + 1, UnitPrice: 2.25 + float64(n),
		})
	}
	return o
}

// calls makes n calls of a method. What it encodes are types of this package,
// which always can be.
func calls[P any](method string, n int, of func(i int) (P, any)) []Call {
	out := make([]Call, n)
	for i := range out {
		p, result := of(i)
		params, _ := json.Marshal(p)
		encoded, _ := json.Marshal(result)
		out[i] = Call{Method: method, Params: params}
		_ = json.Unmarshal(encoded, &out[i].Result)
	}
	return out
}
