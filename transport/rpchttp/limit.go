package rpchttp

import "github.com/facet-rpc/facet/transport/internal/jsonrpc"

// ResponseTooLarge is the error (-32603) of a call that ran, but whose answer
// is larger than [Edge].MaxResult, or does not fit into [Edge].MaxResponse
// with the answers of its batch.
var ResponseTooLarge = jsonrpc.ResponseTooLarge
