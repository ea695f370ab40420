package mcp

import (
	"testing"

	"github.com/go-json-experiment/json"
)

// FuzzEscape checks that escaped text reads as what it was.
func FuzzEscape(f *testing.F) {
	for _, s := range []string{
		"", `"`, `\`, `{"a":"b"}`, "1234567\"", "12345678\\", "{\n\t\"a\" : 1\r}", `"é\u00e9"`, "\x1f\x00", "日本語日本語日本語\"",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		out := append(appendEscaped([]byte{'"'}, src), '"')
		want, err := json.Marshal(string(src))
		if err != nil {
			return // no UTF-8, which results never are
		}
		var got, plain string
		if err := json.Unmarshal(out, &got); err != nil {
			t.Fatalf("appendEscaped(%q) = %q: %v", src, out, err)
		}
		if err := json.Unmarshal(want, &plain); err != nil || got != plain {
			t.Errorf("appendEscaped(%q) reads as %q", src, got)
		}
	})
}
