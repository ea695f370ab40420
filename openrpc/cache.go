package openrpc

import (
	"container/list"
	"sync"

	"github.com/facet-rpc/facet/rpc"
)

// maxPages bounds what one edge keeps. Callers differ by language and by what
// they may see, so a program has a handful of pages; a stranger who varies the
// Host header pushes pages out and finds them rendered again.
const maxPages = 64

// key is everything a rendered document depends on.
type key struct {
	endpoint *rpc.Endpoint
	language string
	texts    uint64 // see [rpc.Endpoint.TextRevision]
	server   string
	visible  string // one bit for each method of the endpoint
	form     form
}

// form is how a document is asked for.
type form struct{ info, pretty bool }

// page is a rendered document. It is never changed.
type page struct {
	bytes []byte
	etag  string
}

// cache keeps the pages that were used last.
type cache struct {
	mu    sync.Mutex
	order *list.List // of entries, the one used last in front
	pages map[key]*list.Element
}

type entry struct {
	key  key
	page *page
}

func newCache() *cache {
	return &cache{order: list.New(), pages: map[key]*list.Element{}}
}

// page is the page kept for k, or a new one made by render, which runs
// without the lock: two callers may render the same page, and neither waits.
func (c *cache) page(k key, render func() (*page, error)) (*page, error) {
	if p := c.load(k); p != nil {
		return p, nil
	}
	p, err := render()
	if err != nil {
		return nil, err
	}
	c.save(k, p)
	return p, nil
}

func (c *cache) load(k key) *page {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.pages[k]
	if e == nil {
		return nil
	}
	c.order.MoveToFront(e)
	return e.Value.(entry).page
}

func (c *cache) save(k key, p *page) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.pages[k]; ok {
		return
	}
	c.pages[k] = c.order.PushFront(entry{k, p})
	if c.order.Len() > maxPages {
		last := c.order.Remove(c.order.Back()).(entry)
		delete(c.pages, last.key)
	}
}
