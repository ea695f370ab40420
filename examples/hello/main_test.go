package main

import (
	"testing"

	"github.com/facet-rpc/facet/rpc/rpctest"
)

func TestGreet(t *testing.T) {
	srv := rpctest.New(t, Hello{})
	for _, tc := range []struct {
		params any
		want   string
	}{
		{nil, "Hello, world!"},
		{[]any{"Ada"}, "Hello, Ada!"},
		{map[string]any{"name": ""}, "Hello, !"},
	} {
		got, err := rpctest.Call[string](srv, "Hello.greet", tc.params)
		if got != tc.want || err != nil {
			t.Errorf("greet(%v) is %q, %v; want %q", tc.params, got, err, tc.want)
		}
	}
}
