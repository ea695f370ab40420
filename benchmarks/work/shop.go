// Package work is what every server of the comparison does: the same types,
// the same rules, the same results, and the calls that are made of them.
package work

import (
	"context"
	"strconv"
	"strings"
)

// Echo is one string there and back.
type Echo struct {
	S string `json:"s"`
}

// Sum is two numbers.
type Sum struct {
	A int `json:"a"`
	B int `json:"b"`
}

// Query asks for products.
type Query struct {
	Query string `json:"query" validate:"required,max=200"`
	Limit int    `json:"limit" validate:"min=1,max=100"`
}

// Product is one of the ten that a search finds.
type Product struct {
	ID    int      `json:"id"`
	Name  string   `json:"name"`
	Price float64  `json:"price"`
	Tags  []string `json:"tags"`
}

// Order is about 1 KB of JSON, nested, with a rule on every field.
type Order struct {
	Number   string   `json:"number" validate:"required,max=40"`
	Customer Customer `json:"customer"`
	Address  Address  `json:"address"`
	Lines    []Line   `json:"lines" validate:"required,min=1,max=100,dive"`
}

// Customer is who orders.
type Customer struct {
	ID    int    `json:"id" validate:"min=1"`
	Name  string `json:"name" validate:"required,max=100"`
	Email string `json:"email" validate:"required,min=5,max=120"`
}

// Address is where an order goes.
type Address struct {
	Street  string `json:"street" validate:"required,max=120"`
	City    string `json:"city" validate:"required,max=80"`
	Zip     string `json:"zip" validate:"required,min=3,max=12"`
	Country string `json:"country" validate:"required,len=2"`
}

// Line is one product of an order.
type Line struct {
	SKU       string  `json:"sku" validate:"required,max=32"`
	Name      string  `json:"name" validate:"required,max=100"`
	Quantity  int     `json:"quantity" validate:"min=1,max=1000"`
	UnitPrice float64 `json:"unitPrice" validate:"min=0"`
}

// Invoice answers an order.
type Invoice struct {
	Number string        `json:"number"`
	Total  float64       `json:"total"`
	Lines  []InvoiceLine `json:"lines"`
}

// InvoiceLine is one line of an invoice.
type InvoiceLine struct {
	SKU      string  `json:"sku"`
	Name     string  `json:"name"`
	Quantity int     `json:"quantity"`
	Total    float64 `json:"total"`
}

// Shop is the service under test. Its methods trust their parameters: a server
// checks the rules before it calls them.
type Shop struct{}

// Echo returns what it gets.
func (Shop) Echo(_ context.Context, p Echo) (string, error) { return p.S, nil }

// Add adds two numbers.
func (Shop) Add(_ context.Context, p Sum) (int, error) { return p.A + p.B, nil }

// Search finds ten products.
func (Shop) Search(_ context.Context, p Query) ([]Product, error) {
	found := make([]Product, 10)
	for i := range found {
		found[i] = Product{
			ID: 1000 + i, Name: p.Query + " #" + strconv.Itoa(i), Price: 10.25 + float64(i),
			Tags: []string{"new", "sale", "catalogue"},
		}
	}
	return found, nil
}

// Order writes an invoice.
func (Shop) Order(_ context.Context, p Order) (Invoice, error) {
	out := Invoice{Number: p.Number, Lines: make([]InvoiceLine, len(p.Lines))}
	for i := range p.Lines {
		l := &p.Lines[i]
		total := float64(l.Quantity) * l.UnitPrice
		out.Lines[i] = InvoiceLine{SKU: strings.ToUpper(l.SKU), Name: strings.TrimSpace(l.Name), Quantity: l.Quantity, Total: total}
		out.Total += total
	}
	return out, nil
}
