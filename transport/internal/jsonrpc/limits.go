package jsonrpc

import "github.com/facet-rpc/facet/rpc/scan"

// The limits of a body whose Limits are zero.
const (
	DefaultDepth = scan.DefaultDepth
	DefaultBatch = 100
	DefaultID    = 1024
)

// Limits bound what a body may hold. A field that is zero or less means its default.
type Limits struct {
	// Depth is how many objects and arrays may lie inside each other, counted from the request
	// object, so that a request is as good in a batch as alone. Default 64.
	Depth int
	// Batch is the largest number of members of a batch. Default 100.
	Batch int
	// ID is the largest length of the raw id in bytes, quotes included. Default 1024.
	ID int
}

func (l Limits) orDefaults() Limits {
	if l.Depth <= 0 {
		l.Depth = DefaultDepth
	}
	if l.Batch <= 0 {
		l.Batch = DefaultBatch
	}
	if l.ID <= 0 {
		l.ID = DefaultID
	}
	return l
}
