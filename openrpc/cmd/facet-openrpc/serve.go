package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/facet-rpc/facet/openrpc"
	"github.com/facet-rpc/facet/openrpc/internal/reader"
)

// serve shows the document until ctx ends.
func serve(ctx context.Context, set settings, doc []byte, out io.Writer) error {
	read, err := reader.Read(doc)
	if err != nil {
		return fmt.Errorf("%s: %w", set.in, err)
	}
	at := openrpc.PageDocument{Name: "document", URL: "openrpc.json"}
	if len(read.Servers) > 0 {
		at.RPC = read.Servers[0] // so that the page may call it
	}
	page, err := openrpc.NewPage(read.Title, at)
	if err != nil && at.RPC != "" { // a server's URL may have variables
		at.RPC = ""
		page, err = openrpc.NewPage(read.Title, at)
	}
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", set.serve)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("GET /{$}", page)
	mux.HandleFunc("GET /openrpc.json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		_, _ = w.Write(doc) // who has left needs no document
	})
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	fmt.Fprintf(out, "%s is shown at http://%s/ until Ctrl-C\n", set.in, listener.Addr())
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
