package rpctest

import (
	"context"
	"strconv"
	"sync"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
)

// callers hands out tokens for the callers of a test.
type callers struct {
	mu   sync.Mutex
	list []rpc.Caller
}

func (c *callers) token(caller rpc.Caller) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = append(c.list, caller)
	return strconv.Itoa(len(c.list) - 1)
}

func (c *callers) verify(_ context.Context, token string) (*rpc.Caller, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	i, err := strconv.Atoi(token)
	if err != nil || i < 0 || i >= len(c.list) {
		return nil, guard.ErrToken
	}
	caller := c.list[i]
	return &caller, nil
}
