package rpc

import "sync/atomic"

// Stats counts what happened to cached and repeated calls since the executor
// was made. The numbers only grow; see [Executor.Stats].
type Stats struct {
	// Hits were answered from the store, Stale among them by a result whose
	// TTL was over; see [Cache.StaleFor].
	Hits, Stale uint64
	// Misses found no result. Coalesced among them waited for the execution
	// of another caller instead of starting one.
	Misses, Coalesced uint64
	// Stores are results given to the store.
	Stores uint64
	// Invalidations are ends of results: of a method, or of exact parameters.
	Invalidations uint64
	// Failures are errors of Store and Records that were passed by.
	Failures uint64
	// Replays are calls answered with the first answer to their idempotency
	// key.
	Replays uint64
}

// counters are the live Stats.
type counters struct {
	hits, stale, misses, coalesced, stores, invalidations, failures, replays atomic.Uint64
}

// Stats is a snapshot of the counters, for metrics.
func (x *Executor) Stats() Stats {
	c := &x.counters
	return Stats{
		Hits: c.hits.Load(), Stale: c.stale.Load(), Misses: c.misses.Load(), Coalesced: c.coalesced.Load(), Stores: c.stores.Load(),
		Invalidations: c.invalidations.Load(), Failures: c.failures.Load(), Replays: c.replays.Load(),
	}
}
