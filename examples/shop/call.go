package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"go.uber.org/zap"
)

const callUsage = `usage: shop call [flags] Catalog.search '{"query":"tea"}'
       shop call [flags] < requests.json

Calls a method without a server and prints its result; of standard input, a
JSON-RPC request or an array of them, it prints the answers. Exit codes: 0
done, 1 a call failed, 2 the command line or the input cannot be understood, 3
no such method or wrong parameters, 75 it may succeed later.

`

// The exit codes of shop call; 75 is EX_TEMPFAIL of sysexits.h.
const (
	exitDone  = 0
	exitFail  = 1
	exitUsage = 2
	exitCall  = 3
	exitAgain = 75
)

// console is an edge: it calls the executor for who sits at the machine.
type console struct {
	exec     *rpc.Executor
	endpoint *rpc.Endpoint
	language string
	out      io.Writer
	problems io.Writer
}

// call is the command shop call; it returns the exit code.
func call(args []string, in io.Reader, out, problems io.Writer) int {
	c := &console{out: out, problems: problems}
	flags := flag.NewFlagSet("shop call", flag.ContinueOnError)
	flags.SetOutput(problems)
	flags.Usage = func() { _, _ = io.WriteString(problems, callUsage); flags.PrintDefaults() }
	group := flags.String("group", rpc.DefaultGroup, "`name` of the group of methods")
	version := flags.Int("version", 1, "`number` of the version")
	flags.StringVar(&c.language, "language", "en", "`languages` of texts, as in Accept-Language")
	redis := flags.String("redis", "", "`URL` of a Redis that several shops share")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return exitDone
	} else if err != nil {
		return exitUsage
	}
	exec, end, err := assemble(settings{redis: *redis, env: rpc.Prod}, zap.NewNop())
	if err != nil {
		fmt.Fprintln(problems, "shop:", err)
		return exitAgain
	}
	defer end()
	c.exec, c.endpoint = exec, exec.Registry().Endpoint(*group, *version)
	c.language = exec.Registry().App().Texts.Language(c.language)
	switch {
	case c.endpoint == nil:
		return c.usage("there is no version %d of group %s", *version, *group)
	case flags.NArg() == 0:
		return c.requests(in)
	case flags.NArg() > 2:
		return c.usage("%q is too much: give a method and its parameters", flags.Arg(2))
	}
	return c.method(flags.Arg(0), jsontext.Value(flags.Arg(1)))
}

// method calls one method and prints its result.
func (c *console) method(name string, params jsontext.Value) int {
	if len(params) > 0 && (!params.IsValid() || params.Kind() != '{' && params.Kind() != '[') {
		return c.usage("the parameters must be a JSON object or array")
	}
	response, failure := c.do(name, params)
	if failure != nil {
		fmt.Fprintf(c.problems, "%s\n", failure.AppendJSON(nil))
		return exitOf(failure)
	}
	fmt.Fprintf(c.out, "%s\n", response.Bytes())
	response.Sent()
	return exitDone
}

// request is a JSON-RPC request of the input.
type request struct {
	Version string         `json:"jsonrpc"`
	ID      jsontext.Value `json:"id,omitzero"`
	Method  string         `json:"method"`
	Params  jsontext.Value `json:"params,omitzero"`
}

// requests answers the requests of the input, one line each.
func (c *console) requests(in io.Reader) int {
	text, err := io.ReadAll(in)
	if err != nil {
		return c.usage("the input cannot be read: %v", err)
	}
	if jsontext.Value(text).Kind() != '[' {
		text = append(append([]byte{'['}, text...), ']')
	}
	var all []request
	if err := json.Unmarshal(text, &all, json.RejectUnknownMembers(true)); err != nil {
		return c.usage("the input is no JSON-RPC: %v", err)
	}
	for i, r := range all {
		if r.Version != "2.0" || r.Method == "" {
			return c.usage("request %d is no JSON-RPC 2.0: it needs jsonrpc and a method", i+1)
		}
	}
	code := exitDone
	for _, r := range all {
		response, failure := c.do(r.Method, r.Params)
		switch {
		case failure != nil && code == exitDone:
			code = exitOf(failure)
			fallthrough
		case failure != nil:
			c.answer(r.ID, "error", failure.AppendJSON(nil))
		default:
			c.answer(r.ID, "result", response.Bytes())
			response.Sent()
		}
	}
	return code
}

// answer prints the answer to a request; notifications have none.
func (c *console) answer(id jsontext.Value, member string, value []byte) {
	if id != nil {
		fmt.Fprintf(c.out, `{"jsonrpc":"2.0","id":%s,"%s":%s}`+"\n", id, member, value)
	}
}

func (c *console) do(method string, params []byte) (rpc.Response, *rpcerrors.Error) {
	return c.exec.Do(context.Background(), &rpc.Call{
		Endpoint: c.endpoint, Method: method, Params: params, Language: c.language, Control: true,
		Caller: &rpc.Caller{ID: "owner", Groups: []string{rpc.AnyGroup}},
		Door:   fmt.Sprintf("console.%s.v%d", c.endpoint.Group, c.endpoint.Version),
	})
}

func (c *console) usage(format string, args ...any) int {
	fmt.Fprintf(c.problems, "shop call: "+format+"; see shop call -help\n", args...)
	return exitUsage
}

// exitOf is the exit code for an error.
func exitOf(e *rpcerrors.Error) int {
	switch e.Code() {
	case rpcerrors.CodeMethodNotFound, rpcerrors.CodeInvalidParams:
		return exitCall
	case rpcerrors.CodeLogic, rpcerrors.CodeTimeout, rpcerrors.CodeUnavailable:
		return exitAgain
	}
	return exitFail
}
