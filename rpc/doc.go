// Package rpc is the core of Facet: what can be called, the [Registry], and
// how a call runs, the [Executor].
//
// A service is any Go value with exported methods
//
//	func (c *Catalog) Search(ctx context.Context, p SearchParams) ([]Product, error)
//
// and it may say how it is published with a method RPC() [Service]. Methods
// know nothing of JSON, HTTP or MCP; edges in transport/ and openrpc/ bring
// calls, through a guarded door, to [Executor.Do].
//
// Read service.go (what can be declared), registry.go (how it is checked) and
// executor.go (what happens to a call), in that order.
package rpc
