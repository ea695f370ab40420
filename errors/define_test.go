package errors_test

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	rpcerrors "github.com/facet-rpc/facet/errors"
)

var update = flag.Bool("update", false, "write the golden files again")

// left is the data of the errors of these tests.
type left struct {
	SKU  string `json:"sku"`
	Left int    `json:"left"`
}

var outOfStock = rpcerrors.Define[left](1001, "OutOfStock", "Only {{.Left}} of {{.SKU}} left.")

// What is wrong with a declaration is said while the program starts, by name
// and with the way to mend it.
func TestDefineRefuses(t *testing.T) { // R-C03 R-C04
	var out strings.Builder
	for _, define := range []func(){
		func() { rpcerrors.Define[struct{}](-32000, "Mine", "Text.") },
		func() { rpcerrors.Define[struct{}](-32603, "Mine", "Text.") },
		func() { rpcerrors.Define[struct{}](-32768, "Mine", "Text.") },
		func() { rpcerrors.Define[struct{}](1, "", "Text.") },
		func() { rpcerrors.Define[struct{}](1, "outOfStock", "Text.") },
		func() { rpcerrors.Define[struct{}](1, "Out-Of-Stock", "Text.") },
		func() { rpcerrors.Define[struct{}](1, "A"+strings.Repeat("b", 64), "Text.") },
		func() { rpcerrors.Define[struct{}](1, "NotFound", "Text.") },
		func() { rpcerrors.Define[struct{}](1, "InvalidParams", "Text.") },
		func() { rpcerrors.Define[struct{}](1, "Mine", " ") },
		func() { rpcerrors.Define[left](1, "Mine", "Only {{.Left.") },
		func() { rpcerrors.Define[left](1, "Mine", "Only {{.Lost}} left.") },
		func() { rpcerrors.Define[struct{}](1, "Mine", "Only {{.Left}} left.") },
		func() { rpcerrors.Define[*left](1, "Mine", "Only {{.Left}} left.") },
		func() { rpcerrors.Define[func()](1, "Mine", "Text.") },
		func() { rpcerrors.Define[struct{ C chan int }](1, "Mine", "Text.") },
	} {
		out.WriteString(fmt.Sprint(caught(define)) + "\n")
	}
	// The codec words its errors in one of two ways, by chance for each process.
	text := strings.ReplaceAll(out.String(), "json: unable to marshal", "json: cannot marshal")
	golden(t, "testdata/define.golden", text)
}

func TestDefineAccepts(t *testing.T) { // R-C03
	for _, code := range []int{0, 1, -1, -31999, -32769, 1 << 30} {
		if d := rpcerrors.Define[struct{}](code, "A"+strings.Repeat("9", 63), "Text."); d.Code() != code || d.DataType() != nil {
			t.Errorf("%d: got %+v", code, d)
		}
	}
	if outOfStock.Name() != "OutOfStock" || outOfStock.Text() != "Only {{.Left}} of {{.SKU}} left." || outOfStock.DataType() != reflect.TypeFor[left]() || outOfStock.Error() != outOfStock.Text() {
		t.Errorf("got %+v", outOfStock)
	}
}

// Every kind has its code, and no two kinds have a name.
func TestKinds(t *testing.T) { // R-C03
	names := map[string]bool{}
	for want, kinds := range map[int][]*rpcerrors.Kind{
		-32700: {rpcerrors.ParseError}, -32600: {rpcerrors.InvalidRequest}, -32601: {rpcerrors.MethodNotFound}, -32602: {rpcerrors.InvalidParams},
		-32603: {rpcerrors.Internal, rpcerrors.Canceled}, -32500: {rpcerrors.Runtime}, -32400: {rpcerrors.Logic, rpcerrors.Locked, rpcerrors.IdempotencyConflict}, -32401: {rpcerrors.TokenMissing},
		-32403: {rpcerrors.Forbidden}, -32404: {rpcerrors.NotFound}, -32300: {rpcerrors.Async}, -32301: {rpcerrors.Reference}, -32408: {rpcerrors.Timeout},
		-32429: {rpcerrors.RateLimit}, -32503: {rpcerrors.Unavailable}, -32000: {rpcerrors.Custom},
	} {
		for _, k := range kinds {
			if k.Code() != want || names[k.Name()] || k.Name() == "" || k.Text() == "" || k.DataType() != nil {
				t.Errorf("%s: code %d, want %d", k.Name(), k.Code(), want)
			}
			names[k.Name()] = true
			if caught(func() { rpcerrors.Define[struct{}](1, k.Name(), "Text.") }) == nil {
				t.Errorf("Define takes the name %s", k.Name())
			}
		}
	}
	if p := rpcerrors.Protocol(-32022, "UnsupportedVersion", "No such version."); p.Code() != -32022 || p.Name() != "UnsupportedVersion" {
		t.Errorf("got %+v", p)
	}
}

func caught(f func()) (value any) {
	defer func() { value = recover() }()
	f()
	return nil
}

// golden compares text with a file, which -update writes.
func golden(t *testing.T, file, text string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if text != string(want) {
		t.Errorf("%s\ngot:\n%s\nwant:\n%s", file, text, want)
	}
}
