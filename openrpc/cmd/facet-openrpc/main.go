// Command facet-openrpc makes clients from an OpenRPC document, and shows it
// as a page:
//
//	go run github.com/facet-rpc/facet/openrpc/cmd/facet-openrpc -in openrpc.json -ts client.ts -go client.go
//	FACET_TOKEN=… go run …/facet-openrpc -in https://shop.example/openrpc -ts client.ts
//	go run …/facet-openrpc -in openrpc.json -serve 127.0.0.1:8081
//
// The same document gives the same bytes, so the files can be kept under
// version control and made again in CI.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"syscall"

	"github.com/facet-rpc/facet/openrpc/goclient"
	"github.com/facet-rpc/facet/openrpc/tsclient"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], program{os.Stdin, os.Stdout, os.Stderr, os.Getenv})
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "facet-openrpc:", err)
		os.Exit(1)
	}
}

// program is what the process has.
type program struct {
	in       io.Reader
	out, err io.Writer
	getenv   func(string) string
}

// settings are what the command line says.
type settings struct {
	in, tokenEnv       string
	ts, golang, pkg    string
	serve              string
	writesTS, writesGo bool
}

const help = `facet-openrpc makes clients from an OpenRPC 1.x document, and shows it as a page.

  facet-openrpc -in openrpc.json -ts client.ts -go client.go -package shop
  facet-openrpc -in https://shop.example/openrpc/v2 -ts client.ts
  facet-openrpc -in openrpc.json -serve 127.0.0.1:8081
  curl -s https://shop.example/openrpc | facet-openrpc -in - -ts -
`

func parse(args []string, stderr io.Writer) (settings, error) {
	var set settings
	flags := flag.NewFlagSet("facet-openrpc", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprintf(stderr, "%s\n", help)
		flags.PrintDefaults()
	}
	flags.StringVar(&set.in, "in", "", "the document: a `file`, an http or https URL, or - for standard input")
	flags.StringVar(&set.ts, "ts", "", "write a TypeScript client to this `file`; - is standard output")
	flags.StringVar(&set.golang, "go", "", "write a Go client to this `file`; - is standard output")
	flags.StringVar(&set.pkg, "package", "", "the `name` of the Go package (default: made from the title)")
	flags.StringVar(&set.serve, "serve", "", "show the document as a page at this `address` until Ctrl-C")
	flags.StringVar(&set.tokenEnv, "token-env", "FACET_TOKEN", "the environment `variable` with the token that a URL is asked with")
	if err := flags.Parse(args); err != nil {
		return set, err
	}
	set.writesTS, set.writesGo = set.ts != "", set.golang != ""
	switch {
	case flags.NArg() > 0:
		return set, fmt.Errorf("unexpected argument %q; files are named with -in, -ts and -go, see -h", flags.Arg(0))
	case set.in == "":
		return set, errors.New("-in says which document; see -h")
	case !set.writesTS && !set.writesGo && set.serve == "":
		return set, errors.New("nothing to do: say -ts, -go or -serve; see -h")
	case set.pkg != "" && !set.writesGo:
		return set, errors.New("-package is for -go, which is missing")
	case set.ts == "-" && set.golang == "-":
		return set, errors.New("-ts - and -go - both want standard output; name a file for one of them")
	}
	return set, nil
}

// run does what the command line says.
func run(ctx context.Context, args []string, p program) error {
	set, err := parse(args, p.err)
	if err != nil {
		return err
	}
	doc, err := read(ctx, set, p, http.DefaultClient)
	if err != nil {
		return err
	}
	var ts, golang []byte
	if set.writesTS { // nothing is written unless all can be
		if ts, err = tsclient.Generate(doc); err != nil {
			return fmt.Errorf("%s: %w", set.in, err)
		}
	}
	if set.writesGo {
		if golang, err = goclient.Generate(doc, goclient.Options{Package: set.pkg}); err != nil {
			return fmt.Errorf("%s: %w", set.in, err)
		}
	}
	if err := write(set.ts, ts, p.out); err != nil {
		return err
	}
	if err := write(set.golang, golang, p.out); err != nil {
		return err
	}
	if set.serve != "" {
		return serve(ctx, set, doc, p.out)
	}
	return nil
}

func write(path string, text []byte, stdout io.Writer) error {
	switch path {
	case "":
		return nil
	case "-":
		_, err := stdout.Write(text)
		return err
	}
	return os.WriteFile(path, text, 0o644)
}
