package rpchttp

import "sync/atomic"

// budget is how many bytes may still be used, by all workers of a batch.
type budget struct{ left atomic.Int64 }

// take takes size bytes, or none when there are fewer: what does not fit takes
// nothing, also not for a moment, or smaller ones of other workers would miss it.
func (b *budget) take(size int64) bool {
	for {
		left := b.left.Load()
		if size > left {
			return false
		}
		if b.left.CompareAndSwap(left, left-size) {
			return true
		}
	}
}
