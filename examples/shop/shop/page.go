package shop

import "time"

// Page is one page of a longer list.
type Page[T any] struct {
	// Items of this page, in order.
	Items []T `json:"items"`
	// Total is how many items all pages have together.
	Total int `json:"total"`
	// Next is where the next page begins: pass it as after. Absent on the
	// last page.
	Next string `json:"next,omitempty"`
}

// TimeRange is a span of time, the end left out of it. Without a bound it is
// open on that side.
type TimeRange struct {
	// From is the first moment that belongs to the range.
	From time.Time `json:"from,omitzero"`
	// To is the first moment that no longer does.
	To time.Time `json:"to,omitzero" validate:"omitempty,gtfield=From"`
}

// holds reports whether t is in the range.
func (r TimeRange) holds(t time.Time) bool {
	return !t.Before(r.From) && (r.To.IsZero() || t.Before(r.To))
}

// paged cuts the page of at most limit items that begins after the item with
// the key after; key names an item.
func paged[T any](all []T, after string, limit int, key func(T) string) Page[T] {
	p := Page[T]{Total: len(all)}
	start := 0
	if after != "" {
		start = len(all)
		for i, item := range all {
			if key(item) == after {
				start = i + 1
				break
			}
		}
	}
	end := min(start+limit, len(all))
	p.Items = all[start:end]
	if end < len(all) && end > start {
		p.Next = key(all[end-1])
	}
	return p
}
