// Package shop is a small shop: a catalogue, orders and customers, kept in
// memory. It is what a service built with Facet looks like: plain types and
// methods that could be called from anywhere, and for each service one
// method, RPC, that says how it is published.
//
// The comments on the methods, types and fields are what clients and agents
// read; see [App].
package shop
