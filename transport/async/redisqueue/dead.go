package redisqueue

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/facet-rpc/facet/transport/async"
	"github.com/hibiken/asynq"
)

// Dead implements [async.Queue].
func (q *Queue) Dead(ctx context.Context, limit int) ([]async.Dead, error) {
	if limit <= 0 {
		return nil, nil
	}
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
			all = append(all, deadOf(info))
		}
	}
	slices.SortStableFunc(all, func(a, b async.Dead) int { return b.At.Compare(a.At) })
	return all[:min(limit, len(all))], nil
}

func deadOf(info *asynq.TaskInfo) async.Dead {
	task, err := taskOf(info.ID, info.Type, info.Payload, info.Headers)
	if err != nil {
		task = async.Task{Kind: async.Kind(info.Type), ID: info.ID, Payload: info.Payload}
	}
	return async.Dead{Task: task, Attempts: min(info.Retried+1, max(task.Attempts, 1)), Problem: info.LastErr, At: info.LastFailedAt}
}
