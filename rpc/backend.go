package rpc

import (
	"context"
	"time"
)

// Store keeps results that may be dropped at any time. cache.Memory is one.
// A Store that fails is logged and bypassed.
type Store interface {
	// Load returns the value; the caller does not change it.
	Load(ctx context.Context, key string) (value []byte, ok bool, err error)
	// Save keeps a copy of value for ttl, or drops it.
	Save(ctx context.Context, key string, value []byte, ttl time.Duration) error
	Drop(ctx context.Context, key string) error
}

// Records keeps what must be kept until its TTL: sessions, generations,
// idempotency keys. cache.Memory is one. A TTL of 0 means for ever.
type Records interface {
	Get(ctx context.Context, key string) (value []byte, ok bool, err error)
	PutIfAbsent(ctx context.Context, key string, value []byte, ttl time.Duration) (stored bool, err error)
	Put(ctx context.Context, key string, value []byte, ttl time.Duration) error
	Touch(ctx context.Context, key string, ttl time.Duration) (found bool, err error)
	Incr(ctx context.Context, key string, ttl time.Duration) (int64, error)
	Delete(ctx context.Context, key string) (found bool, err error)
}

// Locker grants leases on keys. lock.Local is one.
type Locker interface {
	// Lock waits at most wait for the key, which is then held at most hold.
	// held is false, without an error, when another holder kept it; err says
	// that the backend failed or ctx ended. lease ends when the lock is lost;
	// free releases it and must be called once the work has returned.
	Lock(ctx context.Context, key string, wait, hold time.Duration) (lease context.Context, free func(), held bool, err error)
}

// Texts holds translations and chooses languages. i18n.Texts is one; it also
// words violations and lets [NewRegistry] find texts of what is not there.
type Texts interface {
	// Language is the effective language for an Accept-Language header.
	Language(accept string) string
	// Text is the text of key for a group in a language.
	Text(lang, group, key string) (string, bool)
}
