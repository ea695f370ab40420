package shop

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	rpcerrors "github.com/facet-rpc/facet/errors"
)

// Store keeps the shop's data in memory; it is safe for concurrent use. What
// it returns are copies, except for the lines of an order, which never change.
type Store struct {
	now        func() time.Time
	categories []Category // never changes

	mu        sync.RWMutex
	products  map[string]Product
	orders    map[string]Order
	customers map[string]Customer
	number    int // of the latest order or customer
}

// NewStore is a store with a few products, customers and orders in it. now is
// the clock; nil: the system's.
func NewStore(now func() time.Time) *Store {
	if now == nil {
		now = time.Now
	}
	s := &Store{
		now: now, categories: seedCategories(), number: 100,
		products: map[string]Product{}, orders: map[string]Order{}, customers: map[string]Customer{},
	}
	s.seed()
	return s
}

func (s *Store) allProducts() []Product {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.Collect(maps.Values(s.products))
}

func (s *Store) product(sku string) (Product, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return find(s.products, sku, "product")
}

func (s *Store) addStock(sku string, quantity int) (Product, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p, err := find(s.products, sku, "product")
	if err != nil {
		return Product{}, err
	}
	p.Stock += quantity
	s.products[sku] = p
	return p, nil
}

// placeOrder takes the goods of all lines from stock, or none of them.
func (s *Store) placeOrder(p CreateParams) (Order, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := find(s.customers, p.Customer, "customer"); err != nil {
		return Order{}, err
	}
	at := s.now().UTC()
	o := Order{
		ID: s.next("o"), Customer: p.Customer, State: Open, Delivery: p.Delivery, Created: at, Changed: at,
		Total: Money{Currency: EUR},
	}
	for _, l := range p.Lines {
		x, err := find(s.products, l.SKU, "product")
		if err != nil {
			return Order{}, err
		}
		if x.Stock < l.Quantity {
			return Order{}, OutOfStock.New(Shortage{SKU: x.SKU, Left: x.Stock})
		}
		line := Line{SKU: x.SKU, Name: x.Name, Quantity: l.Quantity, Price: x.Price, Total: x.Price.times(l.Quantity)}
		o.Lines = append(o.Lines, line)
		o.Total = o.Total.plus(line.Total)
	}
	s.shelve(o.Lines, -1)
	s.orders[o.ID] = o
	return o, nil
}

func (s *Store) order(id string) (Order, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return find(s.orders, id, "order")
}

// allOrders is every order, the oldest first.
func (s *Store) allOrders() []Order {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.SortedFunc(maps.Values(s.orders), func(a, b Order) int { return strings.Compare(a.ID, b.ID) })
}

// changeOrder lets change work on an order; an error leaves it as it was.
func (s *Store) changeOrder(id string, change func(*Order, time.Time) error) (Order, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o, err := find(s.orders, id, "order")
	if err != nil {
		return Order{}, err
	}
	if err := change(&o, s.now().UTC()); err != nil {
		return Order{}, err
	}
	s.orders[id] = o
	return o, nil
}

// cancelOrder puts the goods back on the shelf.
func (s *Store) cancelOrder(id string) (Order, error) {
	return s.changeOrder(id, func(o *Order, now time.Time) error {
		if err := o.step(Cancelled, now, Open, Paid); err != nil {
			return err
		}
		s.shelve(o.Lines, +1)
		return nil
	})
}

func (s *Store) addCustomer(c Customer) (Customer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, other := range s.customers {
		if other.Email == c.Email {
			return Customer{}, EmailTaken.New(struct{}{})
		}
	}
	c.ID, c.Registered = s.next("c"), s.now().UTC()
	s.customers[c.ID] = c
	return c, nil
}

func (s *Store) customer(id string) (Customer, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return find(s.customers, id, "customer")
}

// allCustomers is every customer, in the order in which they came.
func (s *Store) allCustomers() []Customer {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.SortedFunc(maps.Values(s.customers), func(a, b Customer) int { return strings.Compare(a.ID, b.ID) })
}

// shelve adds the quantities of lines, times sign, to the stock. The caller
// holds mu.
func (s *Store) shelve(lines []Line, sign int) {
	for _, l := range lines {
		p := s.products[l.SKU]
		p.Stock += sign * l.Quantity
		s.products[l.SKU] = p
	}
}

// next is a new key; keys sort in the order in which they were made. The
// caller holds mu.
func (s *Store) next(prefix string) string {
	s.number++
	return fmt.Sprintf("%s%06d", prefix, s.number)
}

// find is the value with a key, or an error that callers may see.
func find[V any](in map[string]V, key, what string) (V, error) {
	v, ok := in[key]
	if !ok {
		return v, rpcerrors.NotFound.New(fmt.Sprintf("There is no %s %q.", what, key))
	}
	return v, nil
}
