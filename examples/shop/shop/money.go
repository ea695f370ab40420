package shop

import "fmt"

// Money is an amount in the minor unit of its currency, such as cents: whole
// numbers only, so that nothing is ever rounded.
type Money struct {
	// Amount counts minor units: 1250 is 12.50.
	Amount int64 `json:"amount" validate:"min=0"`
	// Currency the amount is in.
	Currency Currency `json:"currency"`
}

// Currency is a currency code of ISO 4217.
type Currency string

const (
	EUR Currency = "EUR" // Euro
	UAH Currency = "UAH" // Ukrainian hryvnia
)

// String is the amount as people write it: 12.50 EUR.
func (m Money) String() string {
	return fmt.Sprintf("%d.%02d %s", m.Amount/100, m.Amount%100, m.Currency)
}

// times is the price of n pieces.
func (m Money) times(n int) Money {
	m.Amount *= int64(n)
	return m
}

// plus adds an amount of the same currency.
func (m Money) plus(other Money) Money {
	m.Amount += other.Amount
	return m
}
