// Command events serves the tea shop and forwards chosen events of its calls
// to streams of a Redis, through Watermill; a consumer, here in the same
// process, prints what arrives.
//
//	cd examples/events && go run . -redis redis://127.0.0.1:6379
//
// It is a module of its own, so that Watermill is in no go.mod but this.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/ThreeDotsLabs/watermill-redisstream/pkg/redisstream"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/facet-rpc/facet/cache"
	"github.com/facet-rpc/facet/events"
	"github.com/facet-rpc/facet/examples/shop/shop"
	"github.com/facet-rpc/facet/lock"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/rpchttp"
	"github.com/facet-rpc/facet/transport/server"
	"github.com/gin-gonic/gin"
	"github.com/redis/go-redis/v9"
	"go.uber.org/zap"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`address` to listen on")
	url := flag.String("redis", "redis://127.0.0.1:6379", "`URL` of the Redis with the streams")
	flag.Parse()
	if err := run(context.Background(), *addr, *url); err != nil {
		fmt.Fprintln(os.Stderr, "events:", err)
		os.Exit(1)
	}
}

// run serves until the process is told to stop.
func run(ctx context.Context, addr, url string) error {
	publisher, subscriber, err := open(ctx, url)
	if err != nil {
		return err
	}
	defer func() { _ = subscriber.Close() }()
	defer func() { _ = publisher.Close() }() // the executor has drained the bus by then
	bus := new(events.Bus)
	forwardAll(bus, publisher)
	for _, topic := range []string{"orders.created", "calls.failed"} {
		messages, err := subscriber.Subscribe(ctx, topic)
		if err != nil {
			return err
		}
		go consume(topic, messages)
	}
	pool, err := cache.NewMemory(64 << 20)
	if err != nil {
		return err
	}
	defer pool.Close()
	registry, err := rpc.NewRegistry(shop.App(), shop.Services(shop.NewStore(nil))...)
	if err != nil {
		return err
	}
	logger, err := zap.NewProduction()
	if err != nil {
		return err
	}
	exec, err := rpc.NewExecutor(registry, rpc.Options{Store: pool, Records: pool, Locker: new(lock.Local), Events: bus, Logger: logger})
	if err != nil {
		return err
	}
	gin.SetMode(gin.ReleaseMode)
	engine := gin.New()
	if err := guard.Mount(engine, exec, guard.Policy{Open: true}, rpchttp.Edge{}); err != nil {
		return err
	}
	fmt.Printf("Order something:\n\n  curl http://%s/rpc -H 'Content-Type: application/json' -d '%s'\n\n", addr,
		`{"jsonrpc":"2.0","id":1,"method":"Orders.create","params":{"customer":"c000001","lines":[{"sku":"TEA-01","quantity":2}]}}`)
	return server.Run(ctx, addr, engine, exec)
}

// open connects to the streams. Consumers of one group share the messages.
func open(ctx context.Context, url string) (message.Publisher, message.Subscriber, error) {
	option, err := redis.ParseURL(url)
	if err != nil {
		return nil, nil, fmt.Errorf("-redis is no URL such as redis://127.0.0.1:6379: %w", err)
	}
	client := redis.NewClient(option)
	if err := client.Ping(ctx).Err(); err != nil {
		_ = client.Close()
		return nil, nil, fmt.Errorf("no Redis at %s: %w", option.Addr, err)
	}
	publisher, err := redisstream.NewPublisher(redisstream.PublisherConfig{Client: client, DefaultMaxlen: 100_000}, nil)
	if err != nil {
		return nil, nil, err
	}
	subscriber, err := redisstream.NewSubscriber(redisstream.SubscriberConfig{
		Client: redis.NewClient(option), ConsumerGroup: "printer", DisableIndefiniteInitialBlock: true,
	}, nil)
	return publisher, subscriber, err
}

// consume prints what arrives. A message that is not acknowledged comes again.
func consume(topic string, messages <-chan *message.Message) {
	for m := range messages {
		fmt.Printf("%s %s\n", topic, m.Payload)
		m.Ack()
	}
}
