package cache

import (
	"context"
	"time"

	"github.com/dgraph-io/ristretto/v2"
)

// result carries what ristretto does not: the full key, because ristretto finds
// it by hash, and the exact deadline.
type result struct {
	key   string
	value []byte
	ends  time.Duration
}

const (
	// resultBytes is what a result takes beside its key, its value and what
	// ristretto counts by itself.
	resultBytes = 64
	// maxCounters bounds the counters of a huge pool (3 bytes each).
	maxCounters = 1 << 24
)

func newResults(bytes int64, hash func(string) uint64) (*ristretto.Cache[string, *result], error) {
	return ristretto.NewCache(&ristretto.Config[string, *result]{
		// Ten counters for each result when one takes 1 KB, as ristretto advises.
		NumCounters: min(max(bytes/100, 1000), maxCounters),
		MaxCost:     bytes,
		BufferItems: 64,
		// A second hash is not needed: Load compares the key itself.
		KeyToHash: func(key string) (uint64, uint64) { return hash(key), 0 },
	})
}

// Load returns the value saved under key, unless it has been dropped or its ttl
// is over. The value is shared: do not change it. The error is always nil.
func (m *Memory) Load(_ context.Context, key string) (value []byte, ok bool, err error) {
	m.life.RLock()
	defer m.life.RUnlock()
	if m.closed {
		return nil, false, nil
	}
	r, ok := m.results.Get(key)
	if !ok || r.key != key || r.ends != never && r.ends <= m.now() {
		return nil, false, nil
	}
	return r.value, true, nil
}

// Save keeps a copy of value under key for ttl, or for less when the size is
// used up by results in more demand; one that is larger than the pool is not
// kept at all. After Save an older value is never loaded. The error is always
// nil.
func (m *Memory) Save(ctx context.Context, key string, value []byte, ttl time.Duration) error {
	if ttl < 0 {
		return m.Drop(ctx, key)
	}
	m.life.RLock()
	defer m.life.RUnlock()
	if m.closed {
		return nil
	}
	r := &result{key: key, value: clone(value), ends: deadline(m.now(), ttl)}
	m.results.SetWithTTL(key, r, int64(len(key)+len(value)+resultBytes), ttl)
	// Without this a second Save of a new key is taken for a rival of the first,
	// which is still in ristretto's queue, and lost: the older value would stay.
	m.results.Wait()
	return nil
}

// Drop forgets the value saved under key, if there is one. The error is always
// nil.
func (m *Memory) Drop(_ context.Context, key string) error {
	m.life.RLock()
	defer m.life.RUnlock()
	if m.closed {
		return nil
	}
	m.results.Del(key)
	return nil
}

// clone has no spare capacity, so that two readers who append to a value do not
// write to the same bytes.
func clone(value []byte) []byte {
	c := make([]byte, len(value))
	copy(c, value)
	return c
}
