package rpc

import (
	"context"

	"github.com/facet-rpc/facet/events"
	"go.uber.org/zap"
)

// topics are the handles of the events of a call, resolved once.
type topics struct {
	request      *events.Topic[Request]
	preExecute   *events.Topic[PreExecute]
	postExecute  *events.Topic[PostExecute]
	preResponse  *events.Topic[PreResponse]
	postResponse *events.Topic[PostResponse]
	failed       *events.Topic[Failed]
	asyncRequest *events.Topic[AsyncRequest]
	asyncOutput  *events.Topic[AsyncOutput]
}

func newTopics(b *events.Bus) topics {
	return topics{
		request:      events.TopicOf[Request](b),
		preExecute:   events.TopicOf[PreExecute](b),
		postExecute:  events.TopicOf[PostExecute](b),
		preResponse:  events.TopicOf[PreResponse](b),
		postResponse: events.TopicOf[PostResponse](b),
		failed:       events.TopicOf[Failed](b),
		asyncRequest: events.TopicOf[AsyncRequest](b),
		asyncOutput:  events.TopicOf[AsyncOutput](b),
	}
}

func request(x *Executor, _ *Spec, next Handler) Handler {
	return func(ctx context.Context, c *Call) (Response, error) {
		if x.topics.request.Active() {
			if err := x.topics.request.Refuse(ctx, Request{c}); err != nil {
				return Response{}, err
			}
		}
		return next(ctx, c)
	}
}

func preExecute(x *Executor, s *Spec, next Handler) Handler {
	return func(ctx context.Context, c *Call) (Response, error) {
		if x.topics.preExecute.Active() {
			event := PreExecute{Call: c}
			if c.params.IsValid() {
				event.Params = c.params.Addr().Interface()
				c.keepParams = true
			}
			if err := x.topics.preExecute.Refuse(ctx, event); err != nil {
				if c.lookup != nil && c.lookup.flight != nil {
					c.lookup.flight.refused = true // of this caller, not of those who wait with it
				}
				return Response{}, err
			}
		}
		return next(ctx, c)
	}
}

// lost logs the error of an asynchronous listener, which nobody else hears.
func (x *Executor) lost(_ context.Context, e events.Failed) error {
	x.options.Logger.Error("an asynchronous listener failed", zap.String("event", e.Event), zap.Error(e.Err))
	return nil
}
