package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
)

const (
	maxDocument = 64 << 20 // bytes
	patience    = 30 * time.Second
)

// read reads the document.
func read(ctx context.Context, set settings, p program, web *http.Client) ([]byte, error) {
	switch {
	case set.in == "-":
		return limited(p.in, "standard input")
	case strings.HasPrefix(set.in, "http://"), strings.HasPrefix(set.in, "https://"):
		return fetch(ctx, set, p.getenv(set.tokenEnv), web)
	}
	f, err := os.Open(set.in)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	return limited(f, set.in)
}

func limited(r io.Reader, from string) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxDocument+1))
	if err == nil && len(text) > maxDocument {
		err = fmt.Errorf("%s: more than %d MiB, which is no document for people", from, maxDocument>>20)
	}
	return text, err
}

// fetch asks a URL for the document.
func fetch(ctx context.Context, set settings, token string, web *http.Client) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, set.in, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := web.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	switch {
	case resp.StatusCode == http.StatusOK:
		return limited(resp.Body, set.in)
	case resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden:
		if token == "" {
			return nil, fmt.Errorf("%s answers %s; put a token into the environment variable %s", set.in, resp.Status, set.tokenEnv)
		}
		return nil, fmt.Errorf("%s answers %s to the token in %s", set.in, resp.Status, set.tokenEnv)
	}
	return nil, fmt.Errorf("%s answers %s, not an OpenRPC document; is it the URL of one, such as https://shop.example/openrpc?", set.in, resp.Status)
}
