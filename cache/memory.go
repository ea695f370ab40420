// Package cache keeps the pool of one process in its memory.
//
// A [Memory] is two things at once. It is a store of results: bytes that cost
// time to make and may be dropped at any moment, within a given size (Load,
// Save, Drop). And it is a table of records: bytes that must be there until
// their time to live is over, such as sessions, idempotency keys and counters
// (Get, PutIfAbsent, Put, Touch, Incr, Delete). The two have separate keys.
//
//	pool, err := cache.NewMemory(64 << 20)
//	if err != nil { … }
//	defer pool.Close()
//
// In both halves:
//   - a time to live (ttl) is exact: nothing is given out when it is over. 0
//     means for ever; below 0 it is over already;
//   - values are copied when they are stored and not when they are read: the
//     returned bytes are shared and must not be changed;
//   - ctx is there for pools on a network; here nothing waits for it;
//   - all methods are safe for concurrent use.
package cache

import (
	"errors"
	"fmt"
	"hash/maphash"
	"sync"
	"time"

	"github.com/dgraph-io/ristretto/v2"
)

// Errors of the record table. The result store has none: what it cannot do is a
// miss.
var (
	// ErrFull means that a new record was refused: the table holds as many as
	// [MaxRecords] allows, and none of them is past its time.
	ErrFull = errors.New("cache: the record table is full; raise cache.MaxRecords or shorten the ttl of records")
	// ErrClosed means that Close has been called.
	ErrClosed = errors.New("cache: the pool is closed")
)

// defaultMaxRecords bounds what strangers can make the table hold, by opening
// sessions for instance.
const defaultMaxRecords = 100_000

// Memory is a pool in the memory of this process, made by [NewMemory].
type Memory struct {
	start time.Time // the clock of all deadlines counts from here

	life    sync.RWMutex // held while using results, which must not be closed then
	closed  bool
	results *ristretto.Cache[string, *result]

	records table
}

// Option changes a [Memory]. The options are: [MaxRecords].
type Option interface{ apply(*settings) }

type settings struct{ maxRecords int }

// MaxRecords limits how many records are kept, 100 000 without this option. The
// limit is on their number, not on their bytes: an empty record with a short key
// takes about 150 bytes.
func MaxRecords(n int) Option { return maxRecords(n) }

type maxRecords int

func (n maxRecords) apply(s *settings) { s.maxRecords = int(n) }

// NewMemory makes a pool whose results take at most so many bytes, keys and
// bookkeeping included; another 3 % are for counting which results are in
// demand. It fails when bytes or an option is not above 0. Call Close when done.
func NewMemory(bytes int64, opts ...Option) (*Memory, error) {
	seed := maphash.MakeSeed()
	return newMemory(bytes, func(key string) uint64 { return maphash.String(seed, key) }, opts)
}

func newMemory(bytes int64, hash func(string) uint64, opts []Option) (*Memory, error) {
	s := settings{maxRecords: defaultMaxRecords}
	for _, o := range opts {
		o.apply(&s)
	}
	if bytes <= 0 {
		return nil, fmt.Errorf("cache: NewMemory: the size of the results is %d bytes; it must be above 0, such as 64 << 20", bytes)
	}
	if s.maxRecords <= 0 {
		return nil, fmt.Errorf("cache: MaxRecords is %d; it must be above 0", s.maxRecords)
	}
	results, err := newResults(bytes, hash)
	if err != nil {
		return nil, fmt.Errorf("cache: NewMemory: %w", err)
	}
	m := &Memory{start: time.Now(), results: results}
	m.records.init(int64(s.maxRecords), hash, m.now)
	return m, nil
}

// now is the time since start. It does not jump when the wall clock is set.
func (m *Memory) now() time.Duration { return time.Since(m.start) }

// deadline returns when a ttl that starts now is over.
func deadline(now, ttl time.Duration) time.Duration {
	if ttl == 0 || ttl > never-now {
		return never
	}
	return now + ttl
}

// Close ends the goroutines of m and forgets everything. Later, a Load is a
// miss, Save and Drop do nothing, and records fail with [ErrClosed]. Close may
// be called more than once.
func (m *Memory) Close() {
	m.life.Lock()
	defer m.life.Unlock()
	if m.closed {
		return
	}
	m.closed = true
	m.results.Close()
	m.records.close()
}
