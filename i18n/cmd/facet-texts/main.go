// Command facet-texts holds the files of texts against the OpenRPC documents
// of a program:
//
//	go run github.com/facet-rpc/facet/i18n/cmd/facet-texts -doc openrpc.json -dir translations
//
// It prints, per language, the texts that are missing, those that are still as
// in the document, those that belong to nothing in it, and those that nobody
// can see, and ends with status 1 if there are any. The document is in
// English; -doc may be given several times, for groups and versions.
//
// With -new de it prints a file for a new language instead, with the texts of
// the documents to be translated:
//
//	… -doc openrpc.json -new de > translations/rpc.de.yaml
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/facet-rpc/facet/i18n/internal/textfile"
)

func main() {
	found, err := run(os.Args[1:], os.Stdout, os.Stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "facet-texts:", err)
		os.Exit(2)
	case found:
		os.Exit(1)
	}
}

// run is the program; found: the texts are not as they should be.
func run(args []string, out, usage io.Writer) (found bool, err error) {
	flags := flag.NewFlagSet("facet-texts", flag.ContinueOnError)
	flags.SetOutput(usage)
	var docs []string
	flags.Func("doc", "an OpenRPC document; may be given several times", func(s string) error {
		docs = append(docs, s)
		return nil
	})
	dir := flags.String("dir", "translations", "the folder with rpc.<lang>.yaml and rpc/<group>.<lang>.yaml")
	fresh := flags.String("new", "", "print a file for this language, with the texts of the documents")
	if err := flags.Parse(args); err != nil {
		return false, err
	}
	if len(docs) == 0 {
		return false, errors.New("no document; write -doc openrpc.json, a file with what /openrpc answers")
	}
	known, err := readDocuments(docs)
	if err != nil {
		return false, err
	}
	if *fresh != "" {
		text, err := template(known, *fresh)
		if err == nil {
			_, err = out.Write(text)
		}
		return false, err
	}
	if _, err := os.Stat(*dir); err != nil {
		return false, fmt.Errorf("no folder of texts: %w; name it with -dir", err)
	}
	texts, err := textfile.Read(os.DirFS(*dir), ".")
	if err != nil {
		return false, err
	}
	for _, f := range compare(known, texts) {
		found = true
		fmt.Fprintln(out, f)
	}
	return found, nil
}
