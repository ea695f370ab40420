package guard

import (
	"context"
	"strconv"
	"sync/atomic"
	"time"

	"go.uber.org/zap"
)

// Buckets are token buckets that the processes of a program share, such as
// those of a rediscache.Pool.
type Buckets interface {
	// Take takes n tokens, 1 to burst, out of the bucket of key, all or none.
	// A bucket that nobody knows holds burst tokens; one comes back in each. A
	// wait above 0 says that none was taken, and after which time they are
	// there. An error says that the bucket could not be asked.
	Take(ctx context.Context, key string, n, burst int, each time.Duration) (wait time.Duration, err error)
}

// askAgain is how long shared buckets that failed are left alone. Then one
// request asks again while the others go on without them.
const askAgain = time.Second

// sharedBuckets are [Buckets] that may fail.
type sharedBuckets struct {
	buckets Buckets
	prefix  string // of keys: buckets of another rate are others
	start   time.Time
	log     *zap.Logger

	down  atomic.Int64 // when to ask again, in nanoseconds since start; 0: they work
	alone atomic.Int64 // charges that were not shared since they failed
}

func newShared(rate Rate, each time.Duration, log *zap.Logger) *sharedBuckets {
	return &sharedBuckets{
		buckets: rate.Shared, start: time.Now(), log: log,
		prefix: strconv.Itoa(rate.Burst) + " " + each.String() + " ",
	}
}

// take is Take; ok is false when this process has to count for itself.
func (s *sharedBuckets) take(ctx context.Context, a account, n, burst int, each time.Duration) (wait time.Duration, ok bool) {
	again := s.down.Load()
	if again != 0 {
		now := int64(time.Since(s.start))
		if now < again || !s.down.CompareAndSwap(again, now+int64(askAgain)) {
			s.alone.Add(1)
			return 0, false
		}
	}
	wait, err := s.buckets.Take(ctx, s.prefix+a.key(), n, burst, each)
	switch {
	case err != nil:
		s.alone.Add(1)
		if ctx.Err() == nil || again != 0 { // else it is the client that has gone
			s.failed(err)
		}
		return 0, false
	case again != 0:
		s.work()
	}
	return max(wait, 0), true
}

// failed is told once, however many requests find out.
func (s *sharedBuckets) failed(err error) {
	if s.down.Swap(int64(time.Since(s.start)+askAgain)) == 0 {
		s.log.Error("the shared rate cannot be asked; until it can, each process counts for itself", zap.Error(err))
	}
}

func (s *sharedBuckets) work() {
	if s.down.Swap(0) != 0 {
		s.log.Info("the shared rate can be asked again", zap.Int64("counted_alone", s.alone.Swap(0)))
	}
}

// key names the account in shared buckets.
func (a account) key() string {
	if a.id != "" {
		return "id " + a.id
	}
	return "address " + a.addr.String()
}
