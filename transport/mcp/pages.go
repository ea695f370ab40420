package mcp

import (
	"container/list"
	"sync"
)

// keptPages is how much of rendered lists an endpoint keeps, in bytes.
// Callers differ by profile, version, language and by what they may see, so
// there is a handful; those that were not asked for the longest go first.
const keptPages = 16 << 20

// pages are rendered lists by what they depend on, all of one revision of the
// texts. They are never changed, and may be sent while they are dropped.
type pages struct {
	mu       sync.Mutex
	revision uint64
	byKey    map[string]*list.Element // of *page
	used     list.List                // the latest in front
	bytes    int
}

type page struct {
	key  string
	text []byte
}

// get is the page of key, nil if there is none. The first one to ask in
// another revision ends all of the one before.
func (p *pages) get(revision uint64, key []byte) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	if revision != p.revision {
		p.revision, p.byKey, p.bytes = revision, nil, 0
		p.used.Init()
	}
	e := p.byKey[string(key)]
	if e == nil {
		return nil
	}
	p.used.MoveToFront(e)
	return e.Value.(*page).text
}

// put keeps a page that was rendered after get, unless the revision has
// changed meanwhile.
func (p *pages) put(revision uint64, key string, text []byte) {
	size := len(key) + len(text)
	p.mu.Lock()
	defer p.mu.Unlock()
	if revision != p.revision || p.byKey[key] != nil || size > keptPages {
		return
	}
	if p.byKey == nil {
		p.byKey = map[string]*list.Element{}
	}
	p.byKey[key] = p.used.PushFront(&page{key, text})
	for p.bytes += size; p.bytes > keptPages; {
		oldest := p.used.Remove(p.used.Back()).(*page)
		delete(p.byKey, oldest.key)
		p.bytes -= len(oldest.key) + len(oldest.text)
	}
}
