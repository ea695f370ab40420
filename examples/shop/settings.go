package main

import (
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"slices"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/async"
	"github.com/facet-rpc/facet/transport/guard"
)

// settings are what the command line says.
type settings struct {
	addr  string
	token string
	open  bool
	env   rpc.Env
	redis string
	texts string
	// callbacks are hosts, with commas between them; secret signs what is
	// posted to them
	callbacks string
	secret    string
}

func parse(args []string) (settings, error) {
	var set settings
	var env string
	flags := flag.NewFlagSet("shop", flag.ContinueOnError)
	flags.StringVar(&set.addr, "addr", "127.0.0.1:8080", "`address` to listen on; port 0 takes a free one")
	flags.StringVar(&set.token, "token", "", "`secret` that callers send (default: made at every start and printed)")
	flags.BoolVar(&set.open, "open", false, "let everybody in, without a token")
	flags.StringVar(&env, "env", "prod", "dev, test or prod; errors show their causes in dev and test")
	flags.StringVar(&set.redis, "redis", "", "`URL` of a Redis, such as redis://127.0.0.1:6379, that several shops share (default: the memory of this process)")
	flags.StringVar(&set.texts, "texts", "", "`folder` with the folder translations, whose files are read again when they change, for translators (default: the texts in the program)")
	flags.StringVar(&set.callbacks, "callbacks", "", "`hosts` that answers may be posted to later, with commas between them, such as 127.0.0.1:9000 or *.partner.example (default: none)")
	flags.StringVar(&set.secret, "callback-secret", "", "`secret` that signs what is posted, whsec_ and base64 (default: made at every start and printed)")
	if err := flags.Parse(args); err != nil {
		return set, err
	}
	set.env = rpc.Env(env)
	switch {
	case flags.NArg() > 0:
		return set, fmt.Errorf("unexpected argument %q; see -help", flags.Arg(0))
	case set.open && set.token != "":
		return set, errors.New("-open lets everybody in, so -token says nothing; keep one of the two")
	case !slices.Contains([]rpc.Env{rpc.Dev, rpc.Test, rpc.Prod}, set.env):
		return set, fmt.Errorf("-env %s: it is dev, test or prod", env)
	}
	if set.callbacks != "" && set.secret == "" {
		set.secret = async.NewSecret()
	}
	if !set.open && set.token == "" {
		set.token = rand.Text()
	}
	return set, nil
}

// policy lets the one token into every group, or everybody with -open.
func (s settings) policy() guard.Policy {
	if s.open {
		return guard.Policy{Open: true}
	}
	return guard.Policy{Tokens: []guard.Token{{
		Secret: s.token,
		Caller: rpc.Caller{ID: "owner", Groups: []string{rpc.AnyGroup}},
	}}}
}
