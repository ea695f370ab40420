package rpc

import (
	"crypto/sha256"
	"testing"
	"time"

	rpcerrors "github.com/facet-rpc/facet/errors"
)

// What comes back from a store or from Records may be anything: of another
// version, cut off, or of another program.
func FuzzStored(f *testing.F) {
	entry := append(appendEntry(nil, "key", time.Unix(1, 0)), `{"a":1}`...)
	record := appendRecord(nil, recordError, sha256.Sum256(nil), string(appendError(nil, rpcerrors.Logic.New(`No, "data":1`))))
	for i := range entry {
		f.Add(entry[:i])
	}
	for i := range record {
		f.Add(record[:i])
	}
	f.Add(entry)
	f.Add(record)
	f.Fuzz(func(t *testing.T, b []byte) {
		if result, _, ok := readEntry(b, "key"); ok && len(result) == 0 {
			t.Error("an empty result")
		}
		if _, _, rest, ok := readRecord(b); ok {
			if e := readError(rest); len(e.AppendJSON(nil)) == 0 {
				t.Error("no error")
			}
		}
		_ = readError(b)
	})
}

func TestStoredError(t *testing.T) {
	for _, e := range []*rpcerrors.Error{
		rpcerrors.Logic.New(`No, "data":1`), rpcerrors.NotFound.With("x", map[string]int{"left": 3}), rpcerrors.Custom.New("\x00\"é"),
	} {
		if got, want := string(readError(appendError(nil, e)).AppendJSON(nil)), string(e.AppendJSON(nil)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
