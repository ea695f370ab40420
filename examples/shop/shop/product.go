package shop

import (
	"regexp"
	"time"

	"github.com/go-playground/validator/v10"
)

// Product is something the shop sells.
type Product struct {
	// SKU is the stock keeping unit, the product's key.
	SKU string `json:"sku"`
	// Name as printed on the label.
	Name string `json:"name"`
	// Category is the slug of the category the product is in.
	Category string `json:"category"`
	// Price of one piece.
	Price Money `json:"price"`
	// Stock is how many pieces can be ordered now.
	Stock int `json:"stock"`
	// Added is when the product came into the catalogue.
	Added time.Time `json:"added"`
}

// Category is a shelf of the shop, with the shelves inside it.
type Category struct {
	// Slug is the category's key.
	Slug string `json:"slug"`
	// Name as people read it.
	Name string `json:"name"`
	// Children are the categories inside this one.
	Children []Category `json:"children"`
}

// SortOrder says in which order products are listed.
type SortOrder string

const (
	ByName        SortOrder = "name"     // By name, A to Z
	CheapestFirst SortOrder = "cheapest" // By price, lowest first
	DearestFirst  SortOrder = "dearest"  // By price, highest first
	NewestFirst   SortOrder = "newest"   // By date of arrival, newest first
)

var sku = regexp.MustCompile(`^[A-Z]{3}-[0-9]{2}$`)

// isSKU is the validate rule sku.
func isSKU(f validator.FieldLevel) bool { return sku.MatchString(f.Field().String()) }
