package redisqueue

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/facet-rpc/facet/transport/async"
	"github.com/hibiken/asynq"
)

// Dead implements [async.Queue].
func (q *Queue) Dead(ctx context.Context, limit int) ([]async.Dead, error) {
	var all []async.Dead
	for _, k := range kinds() {
		ids, err := q.redis.ZRevRange(ctx, q.key(k, "archived"), 0, int64(limit)-1).Result()
		if err != nil {
			return nil, fmt.Errorf("redisqueue: list dead tasks: %w", err)
		}
		for _, id := range ids {
			info, err := q.inspector.GetTaskInfo(q.name(k), id)
			if errors.Is(err, asynq.ErrTaskNotFound) {
				continue // removed in between
			}
			if err != nil {
				return nil, fmt.Errorf("redisqueue: read a dead task: %w", err)
			}
			all = append(all, deadOf(k, info))
		}
	}
	slices.SortStableFunc(all, func(a, b async.Dead) int { return b.At.Compare(a.At) })
	return all[:min(max(limit, 0), len(all))], nil
}

func deadOf(k async.Kind, info *asynq.TaskInfo) async.Dead {
	attempts, _ := strconv.Atoi(info.Headers[headerAttempts])
	limit := info.Timeout
	if limit == noLimit {
		limit = 0
	}
	return async.Dead{
		Task: async.Task{
			Kind: k, ID: strings.TrimPrefix(info.ID, taskID(k, "")), Payload: info.Payload, Attempts: attempts, Limit: limit,
		},
		Attempts: min(info.Retried+1, attempts), Problem: info.LastErr, At: info.LastFailedAt,
	}
}
