package main

import (
	"context"
	"time"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc"
)

// Intended is the error that ErrorHandling answers.
var Intended = rpcerrors.Define[struct{}](1001, "Intended", "This tool intentionally returns an error for testing.")

// ErrorHandling always fails.
func (Everything) ErrorHandling() error { return Intended.New(struct{}{}) }

// ToolWithProgress does work in two steps and tells how far it is: after 0, 50
// and 100 of 100.
func (Everything) ToolWithProgress(ctx context.Context) (rpc.Content, error) {
	for done := 0.0; ; done += 50 {
		rpc.Progress(ctx, done, 100, "")
		if done == 100 {
			return rpc.Content{rpc.TextBlock("Done.")}, nil
		}
		if err := work(ctx, 50*time.Millisecond); err != nil {
			return nil, err
		}
	}
}

// LoggingTool writes to the log of the program. Clients hear nothing of it.
func (e Everything) LoggingTool() rpc.Content {
	e.log.Info("a tool was called")
	return rpc.Content{rpc.TextBlock("Logged.")}
}

// work takes its time, and less if the call has ended.
func work(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
