package rpc

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"go.uber.org/zap"
)

// An idempotency key is orphaned when nobody runs the method for it: taking or
// freeing it failed, but it may have been taken all the same, or be so yet,
// when a backend that stood still goes on.
const (
	// recordsTime bounds what must not end with the caller.
	recordsTime = 5 * time.Second
	// orphanTime is how long an orphan is looked for, orphanPoll the longest
	// pause between two looks.
	orphanTime = 2 * time.Minute
	orphanPoll = time.Second
	// maxOrphans bounds those of one time. Beyond it they stay until
	// pendingTime is over.
	maxOrphans = 1024
)

// take takes a key for mine. It is not given up when the caller leaves: what
// was sent to the backend would be done nevertheless.
func (x *Executor) take(ctx context.Context, c *Call, key string, mine []byte) (taken bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	lasting, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordsTime)
	defer cancel()
	taken, err = x.options.Records.PutIfAbsent(lasting, key, mine, pendingTime)
	if err != nil {
		x.orphan(c, key, mine)
	}
	return taken, err
}

// free gives the key back, if it is still this call's.
func (x *Executor) free(ctx context.Context, c *Call, key string, mine []byte) {
	if _, err := x.freed(context.WithoutCancel(ctx), key, mine); err != nil {
		x.options.Logger.Warn("an idempotency key could not be freed yet", append(c.fields(), zap.Error(err))...)
		x.orphan(c, key, mine)
	}
}

// freed deletes the record of key if it is mine; found: it was there, whosever.
func (x *Executor) freed(ctx context.Context, key string, mine []byte) (found bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, recordsTime)
	defer cancel()
	record, found, err := x.options.Records.Get(ctx, key)
	if err == nil && found && bytes.Equal(record, mine) {
		_, err = x.options.Records.Delete(ctx, key)
	}
	return found, err
}

// orphan frees a key in the background. Shutdown waits for the look that is
// being taken.
func (x *Executor) orphan(c *Call, key string, mine []byte) {
	fields := c.fields()
	if x.orphans.Add(1) > maxOrphans {
		x.orphans.Add(-1)
		x.options.Logger.Warn("too many idempotency keys wait to be freed; this one will be within "+pendingTime.String(), fields...)
		return
	}
	x.running.more()
	go func() {
		defer x.running.leave()
		defer x.orphans.Add(-1)
		defer func() {
			if v := recover(); v != nil {
				x.options.Logger.Error("Records panicked", append(fields, zap.String("panic", fmt.Sprint(v)))...)
			}
		}()
		if err := x.adoptOrphan(key, mine); err != nil {
			x.options.Logger.Warn("an idempotency key could not be freed; it will be within "+pendingTime.String(), append(fields, zap.Error(err))...)
		}
	}()
}

// adoptOrphan looks for a record until it was freed, or is not there and has
// not been for a while.
func (x *Executor) adoptOrphan(key string, mine []byte) error {
	until, pause := time.Now().Add(orphanTime), firstPoll
	for {
		found, err := x.freed(context.Background(), key, mine)
		switch {
		case err == nil && (found || pause >= orphanPoll):
			return nil
		case x.Stopping() || time.Now().After(until):
			return err
		case err != nil: // once more after the backend is there again
			pause = min(pause, orphanPoll/2)
		}
		time.Sleep(pause)
		pause = min(2*pause, orphanPoll)
	}
}
