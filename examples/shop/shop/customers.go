package shop

import (
	"slices"
	"strings"
	"time"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc"
)

// Customers knows who buys.
type Customers struct{ store *Store }

// RPC says how customers are published: looking for people is for those who
// work in the shop.
func (c *Customers) RPC() rpc.Service {
	read := rpc.Hints{ReadOnly: rpc.Yes}
	return rpc.Service{Methods: []rpc.Method{
		{Func: c.Register, Errors: []rpcerrors.Declared{EmailTaken}, Examples: sample("person", RegisterParams{Name: "Marta Bilyk", Email: "marta@example.org"})},
		{Func: c.Get, Hints: read, Examples: sample("person", CustomerParams{ID: "c000001"})},
		{Func: c.Find, Hints: read, Groups: []string{internal}, Examples: sample("by address", FindCustomersParams{Text: "example.org", Limit: 1})},
	}}
}

// Customer is a person who buys.
type Customer struct {
	// ID is the customer's key.
	ID string `json:"id"`
	// Name of the person.
	Name string `json:"name"`
	// Email is where the shop writes to.
	Email string `json:"email"`
	// Address is where orders usually go.
	Address *Address `json:"address,omitzero"`
	// Registered is when the customer came.
	Registered time.Time `json:"registered"`
}

// RegisterParams are a new customer.
type RegisterParams struct {
	// Name of the person.
	Name string `json:"name" validate:"min=1,max=100"`
	// Email is where the shop writes to. Each customer has another.
	Email string `json:"email" validate:"email,max=254"`
	// Address is where orders usually go.
	Address *Address `json:"address,omitzero"`
}

// Register adds a customer.
func (c *Customers) Register(p RegisterParams) (Customer, error) {
	return c.store.addCustomer(Customer{Name: p.Name, Email: strings.ToLower(p.Email), Address: p.Address})
}

// CustomerParams name a customer.
type CustomerParams struct {
	// ID is the customer's key.
	ID string `json:"id" validate:"max=20"`
}

// Get returns one customer.
func (c *Customers) Get(p CustomerParams) (Customer, error) { return c.store.customer(p.ID) }

// FindCustomersParams say who is looked for.
type FindCustomersParams struct {
	// Text is a part of the name or of the email address, in any case.
	Text string `json:"text" validate:"min=2,max=100"`
	// Limit is how many customers a page has at most.
	Limit int `json:"limit,omitzero" validate:"min=1,max=100" default:"10"`
	// After is the next of the page before.
	After string `json:"after,omitempty" validate:"max=20"`
}

// Find lists customers by a part of their name or email address.
func (c *Customers) Find(p FindCustomersParams) Page[Customer] {
	text := strings.ToLower(p.Text)
	all := slices.DeleteFunc(c.store.allCustomers(), func(x Customer) bool {
		return !strings.Contains(strings.ToLower(x.Name), text) && !strings.Contains(x.Email, text)
	})
	return paged(all, p.After, p.Limit, func(x Customer) string { return x.ID })
}
