package shop_test

import (
	"testing"

	"github.com/facet-rpc/facet/rpc/rpctest"
)

// Every example in the documents is a call that comes out as it is written.
//
// R-O02
func TestExamples(t *testing.T) { rpctest.Examples(t, open(t)) }
