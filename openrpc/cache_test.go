package openrpc

import (
	"errors"
	"strconv"
	"testing"
)

// The pages used last stay, and there are never more than maxPages.
func TestCacheIsBounded(t *testing.T) {
	c, rendered := newCache(), 0
	ask := func(server string) *page {
		p, err := c.page(key{server: server}, func() (*page, error) {
			rendered++
			return &page{etag: server}, nil
		})
		if err != nil || p.etag != server {
			t.Fatalf("asked for %s: %v, %v", server, p, err)
		}
		return p
	}
	ask("mine")
	for i := range 10 * maxPages {
		ask("stranger" + strconv.Itoa(i))
		ask("mine")
		if len(c.pages) != c.order.Len() || len(c.pages) > maxPages {
			t.Fatalf("%d pages, %d in order", len(c.pages), c.order.Len())
		}
	}
	if rendered != 1+10*maxPages {
		t.Errorf("rendered %d times", rendered)
	}
	if ask("stranger0"); rendered != 2+10*maxPages {
		t.Error("a page that was pushed out is still there")
	}
}

func TestCacheKeepsNoFailure(t *testing.T) {
	c, down := newCache(), errors.New("down")
	if _, err := c.page(key{}, func() (*page, error) { return nil, down }); err != down {
		t.Fatalf("got %v", err)
	}
	if p, err := c.page(key{}, func() (*page, error) { return &page{etag: "x"}, nil }); err != nil || p.etag != "x" {
		t.Errorf("after a failure: %v, %v", p, err)
	}
}
