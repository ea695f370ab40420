package shop

import "time"

// seedCategories is the shelves of the shop.
func seedCategories() []Category {
	return []Category{
		{Slug: "tea", Name: "Tea", Children: []Category{
			{Slug: "green", Name: "Green tea", Children: []Category{
				{Slug: "matcha", Name: "Matcha"},
			}},
			{Slug: "black", Name: "Black tea"},
			{Slug: "herbal", Name: "Herbal tea"},
		}},
		{Slug: "ware", Name: "Teaware", Children: []Category{
			{Slug: "pots", Name: "Pots"},
			{Slug: "cups", Name: "Cups"},
		}},
	}
}

// seed puts products, customers and two orders into an empty store.
func (s *Store) seed() {
	start := time.Date(2026, time.January, 5, 9, 0, 0, 0, time.UTC)
	for i, p := range []Product{
		{SKU: "TEA-01", Name: "Sencha", Category: "green", Price: euro(890), Stock: 40},
		{SKU: "TEA-02", Name: "Gyokuro", Category: "green", Price: euro(2450), Stock: 6},
		{SKU: "TEA-03", Name: "Ceremonial matcha", Category: "matcha", Price: euro(3200), Stock: 12},
		{SKU: "TEA-04", Name: "Assam", Category: "black", Price: euro(650), Stock: 80},
		{SKU: "TEA-05", Name: "Darjeeling first flush", Category: "black", Price: euro(1490), Stock: 2},
		{SKU: "TEA-06", Name: "Carpathian herbs", Category: "herbal", Price: euro(540), Stock: 33},
		{SKU: "TEA-07", Name: "Linden blossom", Category: "herbal", Price: euro(480), Stock: 0},
		{SKU: "POT-01", Name: "Cast iron teapot", Category: "pots", Price: euro(5900), Stock: 4},
		{SKU: "POT-02", Name: "Glass teapot", Category: "pots", Price: euro(2690), Stock: 9},
		{SKU: "CUP-01", Name: "Porcelain cup", Category: "cups", Price: euro(990), Stock: 50},
		{SKU: "CUP-02", Name: "Clay cup", Category: "cups", Price: euro(790), Stock: 17},
		{SKU: "CUP-03", Name: "Matcha bowl", Category: "cups", Price: euro(1850), Stock: 5},
	} {
		p.Added = start.AddDate(0, 0, 7*i)
		s.products[p.SKU] = p
	}
	for _, c := range []Customer{
		{ID: "c000001", Name: "Olena Kovalenko", Email: "olena@example.org", Address: &Address{Street: "Khreshchatyk 1", City: "01001 Kyiv", Country: "UA"}},
		{ID: "c000002", Name: "Piet de Vries", Email: "piet@example.org"},
	} {
		c.Registered = start
		s.customers[c.ID] = c
	}
	pot := Line{SKU: "POT-01", Name: "Cast iron teapot", Quantity: 1, Price: euro(5900), Total: euro(5900)}
	cups := Line{SKU: "CUP-01", Name: "Porcelain cup", Quantity: 2, Price: euro(990), Total: euro(1980)}
	day := start.AddDate(0, 3, 0)
	s.orders["o000001"] = Order{
		ID: "o000001", Customer: "c000001", Lines: []Line{pot, cups}, Total: euro(7880), State: Shipped,
		Created: day, Changed: day.AddDate(0, 0, 2), Tracking: "UA100200300",
	}
	s.orders["o000002"] = Order{
		ID: "o000002", Customer: "c000002", Lines: []Line{cups}, Total: euro(1980), State: Open,
		Created: day.AddDate(0, 0, 5), Changed: day.AddDate(0, 0, 5),
	}
}

func euro(cents int64) Money { return Money{Amount: cents, Currency: EUR} }
