package main

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strings"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/async"
	"github.com/facet-rpc/facet/transport/async/redisqueue"
)

// openJobs runs calls with a callback later: those that wait are in the memory
// of this process, or in the Redis that shops share.
func openJobs(set settings, records rpc.Records) (jobs *async.Jobs, end func(), err error) {
	options := async.Options{Records: records, Webhooks: webhooks(set)}
	end = func() {}
	if set.redis != "" {
		queue, err := redisqueue.Open(context.Background(), set.redis)
		if err != nil {
			return nil, nil, fmt.Errorf("-redis: %w", err)
		}
		options.Queue, end = queue, func() { _ = queue.Close() }
	}
	if jobs, err = async.New(options); err != nil {
		end()
		return nil, nil, fmt.Errorf("-callbacks or -callback-secret: %w", err)
	}
	return jobs, end, nil
}

// webhooks are posted by https and to public addresses only, unless all hosts
// are names of this machine, as when somebody tries them.
func webhooks(set settings) async.Webhooks {
	return async.Webhooks{
		Hosts: set.hosts(), Secrets: []string{set.secret}, Plain: set.local(), Private: set.local(),
	}
}

func (s settings) hosts() []string { return strings.Split(s.callbacks, ",") }

// local: all hosts are this machine.
func (s settings) local() bool {
	return !slices.ContainsFunc(s.hosts(), func(host string) bool {
		name, _, err := net.SplitHostPort(host)
		return err != nil || name != "localhost" && name != "127.0.0.1"
	})
}

// callback is one that a call may name; empty: none.
func (s settings) callback() string {
	switch host := s.hosts()[0]; {
	case host == "":
		return ""
	case s.local():
		return "http://" + host + "/"
	default:
		return "https://" + strings.Replace(host, "*", "hooks", 1) + "/"
	}
}
