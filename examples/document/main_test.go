package main

import (
	"bytes"
	"strings"
	"testing"
)

// R-O04 one command writes the document, the same bytes each time.
func TestDocument(t *testing.T) {
	first, err := document("default", 2, "https://shop.example/rpc/v2")
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		if again, err := document("default", 2, "https://shop.example/rpc/v2"); err != nil || !bytes.Equal(again, first) {
			t.Fatalf("another document: %v", err)
		}
	}
	for _, want := range []string{`"openrpc":"1.3.2"`, `"url":"https://shop.example/rpc/v2"`, `"Catalog.find"`, `"Orders.create"`} {
		if !bytes.Contains(first, []byte(want)) {
			t.Errorf("no %s in the document", want)
		}
	}
	if bytes.Contains(first, []byte(`"Catalog.search"`)) {
		t.Error("version 2 has Catalog.search")
	}
}

func TestNoSuchEndpoint(t *testing.T) {
	for _, tc := range []struct {
		group   string
		version int
	}{{"default", 9}, {"nobody", 1}} {
		_, err := document(tc.group, tc.version, "")
		if err == nil || !strings.Contains(err.Error(), "default") {
			t.Errorf("%s v%d: %v, want an error that lists the groups", tc.group, tc.version, err)
		}
	}
}
