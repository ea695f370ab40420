// Package client calls methods of a Facet program, or of any JSON-RPC 2.0
// server that takes POST requests:
//
//	c := client.New("https://shop.example/rpc", client.Options{Token: token})
//	products, err := client.Call[[]Product](ctx, c, "Catalog.search", SearchParams{Query: "tea"})
//	if left, ok := shop.OutOfStock.Data(err); ok { … }
//
// An error that the server answered is a *rpcerrors.Error: errors.Is compares
// it with its kind. Everything else that goes wrong, from a refused connection
// to an answer that is no JSON-RPC, is a plain error; with a [StatusError] in
// its chain if there was an HTTP answer at all.
//
// Many calls travel in one request as a [Batch]; one of them can take what
// another answers, see [At].
package client

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"

	"github.com/go-json-experiment/json"
)

// DefaultMaxResponse is the limit of an answer without [Options.MaxResponse]:
// 32 MiB, as much as a server sends unless told otherwise.
const DefaultMaxResponse = 32 << 20

// Options say how a [Client] calls. The zero value works.
type Options struct {
	// HTTPClient sends the requests; nil: http.DefaultClient, which waits for
	// as long as the context of a call allows.
	HTTPClient *http.Client
	// Token is sent as Authorization: Bearer; empty: none.
	Token string
	// Language is the Accept-Language of every request, such as uk or
	// "uk, en;q=0.5"; empty: the server chooses.
	Language string
	// Header is sent with every request. It is copied.
	Header http.Header
	// MaxResponse is the most bytes an answer may have; 0: DefaultMaxResponse.
	MaxResponse int64
	// References says that the edge of the server has References: true. Then
	// the params of calls in batches may have a [Ref], and text in them that
	// looks like a reference is marked as text. An edge without references
	// would keep the mark.
	References bool
}

// Client calls the methods of one endpoint. It is safe for concurrent use.
type Client struct {
	url    string
	http   *http.Client
	header http.Header
	max    int64
	encode json.Options
	decode json.Options

	references bool
}

// New makes a client of an endpoint, such as https://shop.example/rpc or
// https://shop.example/rpc/v2. It does not connect: a wrong URL is an error of
// the first call.
func New(url string, opts Options) *Client {
	c := &Client{
		url: url, http: opts.HTTPClient, header: opts.Header.Clone(), max: opts.MaxResponse,
		encode: encodeOptions(), decode: decodeOptions(), references: opts.References,
	}
	if c.http == nil {
		c.http = http.DefaultClient
	}
	if c.max <= 0 {
		c.max = DefaultMaxResponse
	}
	if c.header == nil {
		c.header = http.Header{}
	}
	c.header.Set("Content-Type", "application/json")
	c.header.Set("Accept", "application/json")
	if opts.Token != "" {
		c.header.Set("Authorization", "Bearer "+opts.Token)
	}
	if opts.Language != "" {
		c.header.Set("Accept-Language", opts.Language)
	}
	return c
}

// post sends a body and reads the answer to its end, so that the connection
// can be used again.
func (c *Client) post(ctx context.Context, body []byte) (status int, answer []byte, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	req.Header = c.header.Clone()
	resp, err := c.http.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = resp.Body.Close() }() // it was read
	answer, err = io.ReadAll(io.LimitReader(resp.Body, c.max+1))
	if err != nil {
		return 0, nil, fmt.Errorf("reading the answer (HTTP status %d): %w", resp.StatusCode, err)
	}
	if int64(len(answer)) > c.max {
		return 0, nil, fmt.Errorf("the answer (HTTP status %d) is larger than %d bytes; see Options.MaxResponse", resp.StatusCode, c.max)
	}
	return resp.StatusCode, answer, nil
}
