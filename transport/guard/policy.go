// Package guard is the one policy in front of every edge: Host and Origin,
// paths and versions, tokens, limits. An edge reaches the executor only
// through a [Door], which only [Mount] makes.
package guard

import (
	"context"

	"github.com/facet-rpc/facet/rpc"
)

// Policy says who may come in. The zero Policy does not mount: it needs
// Tokens, a Verifier, or Open.
type Policy struct {
	// PublicURL is where clients reach the program, such as
	// https://shop.example; documents and manifests use it. Empty: the
	// request's own Host.
	PublicURL string
	// Tokens are the secrets that callers send.
	Tokens []Token
	// Verifier replaces Tokens.
	Verifier Verifier
	// Open lets everybody in, with the groups of rpc.AnyGroup.
	Open bool
	// Header is a header besides Authorization: Bearer that may carry the
	// token; empty: RPC-Token.
	Header string
	// Hosts are the names a request may address (Host header), with or
	// without a port; nil: loopback names and PublicURL's on a loopback
	// listener, else all.
	Hosts []string
	// Origins are the web origins that may call, such as
	// https://app.example; nil: only the request's own.
	Origins []string
	// MaxBody is the most bytes a body may have; 0: 8 MiB.
	MaxBody int64
	// Documents says whether documents such as /openrpc need the token.
	Documents Access
}

// Token is a secret and whom it stands for.
type Token struct {
	Secret string
	Caller rpc.Caller
}

// Verifier finds the caller of a token. ErrToken: the token is not valid;
// another error: the verification could not be done (503).
type Verifier func(ctx context.Context, token string) (*rpc.Caller, error)

// Access says who may read documents.
type Access uint8

// The values of Access.
const (
	ByRoute Access = iota // as the route says: pages are public, /openrpc needs the token
	ForAll                // everybody
	ByToken               // only with a token
)

// Site is what an edge knows of the program while it is mounted.
type Site struct {
	policy   Policy
	exec     *rpc.Executor
	builtins []*rpc.Spec
}

// Registry is what is served.
func (s *Site) Registry() *rpc.Registry { return s.exec.Registry() }

// Builtins are the methods that the edges bring themselves, ping among them.
func (s *Site) Builtins() []*rpc.Spec { return s.builtins }
