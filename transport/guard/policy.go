// Package guard is the one policy in front of every edge: Host and Origin,
// paths and versions, tokens, limits. An edge reaches the executor only
// through a [Door], which only [Mount] makes.
//
// A request is refused in this order, always with a JSON-RPC error as body:
//
//	403  the Host or the Origin is not allowed
//	204  a CORS preflight of an allowed origin
//	404  no such version, or none that is [Policy.Available]
//	405  another HTTP method, with Allow
//	401  no token; 403 (with a [Challenge] 401) a wrong one; 503 the Verifier failed
//	     (a Challenge also makes two tokens that differ 400)
//	403  the caller may not enter the group; [Policy.Allow] says no
//	429  the caller calls too often; 503 too many requests at once
//	415  another media type, or an encoding that is not read
//
// then the edge: 406, 413 and 408 by [Visit.Body], 400 for what cannot be parsed.
//
// What gin answers itself are unknown paths, a slash at the end, and HTTP
// methods outside of RFC 9110 and PATCH.
package guard

import (
	"context"
	stderrors "errors"

	"github.com/facet-rpc/facet/rpc"
)

// Policy says who may come in. The zero Policy does not mount: it needs
// Tokens, a TokenSource, a Verifier, or Open.
type Policy struct {
	// PublicURL is where clients reach the program, such as
	// https://shop.example; documents and manifests use it. Empty: the
	// request's own Host.
	PublicURL string
	// Tokens are the secrets that callers send.
	Tokens []Token
	// TokenSource replaces Tokens by those of a file or an environment variable.
	TokenSource TokenSource
	// Verifier replaces Tokens.
	Verifier Verifier
	// Challenge tells clients where to get a token for the Verifier; nil: they
	// know.
	Challenge *Challenge
	// Open lets everybody in, with the groups of rpc.AnyGroup. Tokens that
	// are sent all the same are not looked at.
	Open bool
	// Header is a header besides Authorization: Bearer that may carry the
	// token; empty: RPC-Token.
	Header string
	// Hosts are the names a request may address (Host header), with or
	// without a port; PublicURL's is always one. nil: loopback names and
	// PublicURL's on a loopback listener, else all.
	Hosts []string
	// Origins are the web origins that may call, such as
	// https://app.example; nil: only the request's own and PublicURL's.
	Origins []string
	// Proxies are the addresses or networks of proxies in front, such as
	// 10.0.0.0/8. From them, and from nobody else, X-Forwarded-For, -Proto and
	// -Host and Forwarded (RFC 7239) are read: for the address of callers
	// without an ID, for the host that was addressed, and for the public URL. A
	// proxy has to set each of them or take it away: what it passes on from a
	// client is believed. nil: none.
	Proxies []string
	// Available reports whether an endpoint is served now; what is not is 404,
	// like a version that never was, on every edge and in every list. It is
	// asked for every request, by many goroutines, before anything else, and
	// must not wait. nil: all are.
	Available func(*rpc.Endpoint) bool
	// Allow is the access policy: it reports whether a caller whose token is
	// valid for the group may use an endpoint, with its documents and lists; if
	// not, it is 403 (-32403). What is public is not asked about. It is called
	// by many goroutines and must not wait. nil: all may.
	Allow func(*rpc.Caller, *rpc.Endpoint) bool
	// MaxBody is the most bytes a body may have, decoded; 0: 8 MiB.
	MaxBody int64
	// Gzip lets bodies come with Content-Encoding: gzip, under the same
	// MaxBody; without it they are 415.
	Gzip bool
	// Rate limits the calls of one caller: 429 (-32429) with Retry-After. Each
	// request counts 1 before it is read, each further member of a batch 1
	// before any of them runs.
	Rate Rate
	// Concurrent is how many requests all edges serve at once; 0: no limit.
	// There is no queue: those beyond get 503 (-32503) with Retry-After.
	Concurrent int
	// OnRefuse counts: it is called once for each refusal, before the answer
	// is written, with the [Door.Name] (without .v<n> when there is no such
	// version), the HTTP status and the error's kind. It is called by many
	// goroutines and should only count. nil: nothing. What edges refuse after
	// reading the body is an event of the executor, like any failed call.
	OnRefuse func(door string, status int, kind string)
	// Documents says whether documents such as /openrpc need the token: what
	// is read with GET only.
	Documents Access
}

// Token is a secret and whom it stands for.
type Token struct {
	// Secret is what the caller sends: visible ASCII without spaces, long and
	// random. Never log it.
	Secret string
	Caller rpc.Caller
}

// Verifier finds the caller of a token. ErrToken: the token is not valid
// (403, with a [Challenge] 401); another error, or no caller, says that the verification could not be
// done (503).
type Verifier func(ctx context.Context, token string) (*rpc.Caller, error)

// ErrToken is what a [Verifier] returns, or wraps, for a token that is not valid.
var ErrToken = stderrors.New("guard: the token is not valid")

// Access says who may read documents.
type Access uint8

// The values of Access.
const (
	ByRoute Access = iota // as the route says: pages are public, /openrpc needs the token
	ForAll                // everybody
	ByToken               // only with a token
)
