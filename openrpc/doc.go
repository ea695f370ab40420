// Package openrpc describes the methods of an endpoint, a group at a version,
// as an OpenRPC 1.3.2 document (https://spec.open-rpc.org).
//
// [Edge] serves it over HTTP:
//
//	err := guard.Mount(engine, exec, policy, rpchttp.Edge{}, openrpc.Edge{})
//
// GET /openrpc is version 1, /openrpc/v2 version 2; rpc.discover on the
// JSON-RPC edge answers the same. [Document] writes it without a server.
//
// The schemas are those the decoder works with, so what is documented can be
// called. A document shows only what its reader may see: methods that are
// hidden, and types and errors only they use, are not in it.
package openrpc
