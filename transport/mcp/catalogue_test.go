package mcp

import (
	"strconv"
	"testing"
)

// What is kept is bounded, however many callers differ.
func TestKeptPages(t *testing.T) {
	var c catalogue
	for i := range 3 * keptPages {
		c.keep(strconv.Itoa(i), []byte("{}"))
	}
	if len(c.pages) != keptPages {
		t.Errorf("%d pages are kept, want %d", len(c.pages), keptPages)
	}
}
