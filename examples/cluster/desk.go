//go:build linux || darwin

package main

import (
	"context"
	"errors"
	"path/filepath"
	"strconv"
	"time"

	"github.com/facet-rpc/facet/rpc"
	"github.com/redis/rueidis"
)

// Desk is served beside the shop. The shop's goods are in each process; what
// the desk works on is in Redis, the database of this example, so that all
// nodes see one truth.
type Desk struct {
	db  rueidis.Client
	dir string // of the rooms
}

// RPC says how the desk is published.
func (d *Desk) RPC() rpc.Service {
	read := rpc.Hints{ReadOnly: rpc.Yes}
	kept := rpc.Cache{TTL: time.Hour, Shared: true}
	return rpc.Service{Methods: []rpc.Method{
		{Func: d.Work, Lock: rpc.Lock{On: "room", Wait: time.Second}},
		{Func: d.Level, Hints: read, Cache: kept},
		{Func: d.Add, Invalidates: []string{"Desk.level"}},
		{Func: d.Report, Hints: read, Cache: kept},
	}}
}

// WorkParams say where and how long.
type WorkParams struct {
	// Room is where one works at a time.
	Room string `json:"room" validate:"alphanum"`
	// Millis is for how long.
	Millis int `json:"millis" validate:"min=0,max=60000"`
}

// Work works alone in a room, and counts when it was not alone. It leaves when
// its lease ends, as a method should.
func (d *Desk) Work(ctx context.Context, p WorkParams) error {
	leave, err := enter(filepath.Join(d.dir, "room-"+p.Room))
	if errors.Is(err, errTwo) {
		_, err = d.count(ctx, keyTwo)
		return err
	}
	if err != nil {
		return err
	}
	defer leave()
	context.AfterFunc(ctx, leave)
	if _, err := d.count(ctx, keyWork+p.Room); err != nil {
		return err
	}
	pause(ctx, time.Duration(p.Millis)*time.Millisecond)
	return ctx.Err()
}

// Level reads the stock.
func (d *Desk) Level(ctx context.Context) (int64, error) {
	n, err := d.db.Do(ctx, d.db.B().Get().Key(keyLevel).Build()).AsInt64()
	if rueidis.IsRedisNil(err) {
		return 0, nil
	}
	return n, err
}

// Add puts one piece into stock and ends what was cached of it.
func (d *Desk) Add(ctx context.Context) (int64, error) { return d.count(ctx, keyLevel) }

// ReportParams name a report.
type ReportParams struct {
	// Number of the report.
	Number int `json:"number"`
}

// Report takes its time.
func (d *Desk) Report(ctx context.Context, p ReportParams) (int64, error) {
	runs, err := d.count(ctx, keyReport+strconv.Itoa(p.Number))
	pause(ctx, reportTime)
	return runs, err
}

// countOrders notes that an order was made, by its idempotency key.
func (d *Desk) countOrders(ctx context.Context, e rpc.PostExecute) error {
	if e.Call.Method != "Orders.create" {
		return nil
	}
	_, err := d.count(ctx, keyOrder+e.Call.IdempotencyKey)
	return err
}

// The counters in Redis.
const (
	keyTwo    = "cluster:two"
	keyWork   = "cluster:work:"
	keyLevel  = "cluster:level"
	keyReport = "cluster:report:"
	keyOrder  = "cluster:order:"
)

// reportTime is what a report takes.
const reportTime = 150 * time.Millisecond

func (d *Desk) count(ctx context.Context, key string) (int64, error) {
	return d.db.Do(ctx, d.db.B().Incr().Key(key).Build()).AsInt64()
}
