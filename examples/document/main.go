// Command document writes the OpenRPC document of the shop, without a server:
//
//	go run ./examples/document > shop.json
//	go run ./examples/document -version 2 -url https://shop.example/rpc/v2
//
// The bytes are the same in every run, so the file can be kept and compared.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/facet-rpc/facet/examples/shop/shop"
	"github.com/facet-rpc/facet/openrpc"
	"github.com/facet-rpc/facet/rpc"
)

func main() {
	group := flag.String("group", rpc.DefaultGroup, "whose methods are described")
	version := flag.Int("version", 1, "which version of them")
	url := flag.String("url", "", "where calls go to; without it the document names no server")
	flag.Parse()
	doc, err := document(*group, *version, *url)
	if err != nil {
		fmt.Fprintln(os.Stderr, "document:", err)
		os.Exit(1)
	}
	fmt.Println(string(doc))
}

// document is the document of the shop's group at a version.
func document(group string, version int, url string) ([]byte, error) {
	registry, err := rpc.NewRegistry(shop.App(), shop.Services(shop.NewStore(nil))...)
	if err != nil {
		return nil, err
	}
	endpoint := registry.Endpoint(group, version)
	if endpoint == nil {
		return nil, fmt.Errorf("there is no version %d of group %s; groups are %v", version, group, registry.Groups())
	}
	return openrpc.Document(registry, endpoint, openrpc.Options{ServerURL: url})
}
