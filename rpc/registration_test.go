package rpc_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc"
	"github.com/go-playground/validator/v10"
)

var update = flag.Bool("update", false, "rewrite the golden files")

var app = rpc.App{Name: "test", Version: "1.0.0"}

// golden compares text with testdata/<name>.golden.
func golden(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if text != string(want) {
		t.Errorf("mismatch with %s (run with -update after reading the difference)\n-want\n%s\n+got\n%s", path, want, text)
	}
}

type (
	noTag struct{ Query string }
	sku   struct {
		SKU string `json:"sku"`
	}
	list struct {
		Of []sku `json:"of"`
	}
	exact struct {
		N rpc.Number `json:"n"`
	}
	required0 struct {
		Count int `json:"count" validate:"required"`
	}
	line struct {
		Qty int `json:"qty" validate:"min=1"`
	}
	noDive struct {
		Lines []line `json:"lines" validate:"min=1"`
	}
	omitsNumber struct {
		Limit int `json:"limit,omitempty"`
	}
	badDefault struct {
		Limit int `json:"limit" default:"ten"`
	}
	lowDefault struct {
		Limit int `json:"limit" default:"0" validate:"min=1"`
	}
	lowZero struct {
		Limit int `json:"limit,omitzero" validate:"min=1"`
	}
	panics struct {
		Limit int `json:"limit" validate:"min=abc"`
	}
	unknownRule struct {
		Limit int `json:"limit" validate:"atleast=3"`
	}
	channel struct {
		C chan int `json:"c"`
	}
	named struct {
		A string `json:"a"`
	}
	twice struct {
		A int `json:"a"`
		named
	}
	State string
)

const (
	Open State = "open"
	Paid State = "paid"
)

type stateful struct {
	State State `json:"state"`
}

type myError struct{}

func (*myError) Error() string { return "" }

type cart struct{}

func (*cart) Add(sku) error         { return nil }
func (*cart) Total() (int, error)   { return 0, nil }
func (*cart) Close() error          { return nil }
func (*cart) Many(a, b int) int     { return a + b }
func (*cart) RPCish(...sku)         {}
func (cart) Value() (string, error) { return "", nil }

type described struct{}

func (d *described) Get(sku) (sku, error) { return sku{}, nil }
func (d *described) Put(sku) error        { return nil }
func (d *described) RPC() rpc.Service {
	return rpc.Service{Methods: []rpc.Method{{Func: d.Get}}}
}

type embeds struct{ described }

func (*embeds) Own() {}

type promotes struct{ helper }
type helper struct{}

func (helper) Help() string { return "" }

type empty struct{}

// faultsOf registers and returns the text of the error.
func faultsOf(t *testing.T, services ...any) string {
	t.Helper()
	_, err := rpc.NewRegistry(app, services...)
	if err == nil {
		t.Fatal("registered without a fault")
	}
	return err.Error()
}

func method(m rpc.Method) rpc.Service { return rpc.Service{Name: "Shop", Methods: []rpc.Method{m}} }

// R-C11: every fault of a registration, as a newcomer reads it.
func TestFaults(t *testing.T) {
	named := func(f any) rpc.Service { return method(rpc.Method{Name: "get", Func: f}) }
	c := &cart{}
	for _, tt := range []struct {
		name     string
		services []any
	}{
		{"nil", []any{nil, (*cart)(nil)}},
		{"no methods", []any{empty{}, rpc.Service{Name: "Shop"}}},
		{"pointer receivers", []any{cart{}}},
		{"pointer RPC", []any{described{}}},
		{"embedded RPC", []any{&embeds{}}},
		{"promoted method", []any{promotes{}}},
		{"standard methods and signatures", []any{c}},
		{"not a function", []any{method(rpc.Method{Func: 7}), method(rpc.Method{})}},
		{"two parameters", []any{named(func(a, b sku) {})}},
		{"no struct", []any{named(func(n int) int { return n })}},
		{"two results", []any{named(func() (int, int) { return 0, 0 })}},
		{"own error type", []any{named(func() *myError { return nil }), named(func() (int, *rpcerrors.Error) { return 0, nil })}},
		{"variadic", []any{named(func(s ...sku) {})}},
		{"closure without a name", []any{method(rpc.Method{Func: func() {}})}},
		{"generic without a name", []any{method(rpc.Method{Func: generic[int]})}},
		{"method expression", []any{method(rpc.Method{Func: (*cart).Total})}},
		{"names", []any{
			method(rpc.Method{Func: c.Total, Name: "a b"}),
			rpc.Service{Name: "rpc", Methods: []rpc.Method{{Func: c.Total}}},
			rpc.Service{Bare: true, Methods: []rpc.Method{{Func: c.Total, Name: "ping"}}},
		}},
		{"groups", []any{method(rpc.Method{Func: c.Total, Groups: []string{"Internal Use"}})}},
		{"versions", []any{method(rpc.Method{Func: c.Total, Since: 3, Until: 2}), rpc.Service{Name: "Old", Since: -1, Methods: []rpc.Method{{Func: c.Total}}}}},
		{"duplicate", []any{method(rpc.Method{Func: c.Total}), method(rpc.Method{Func: c.Total})}},
		{"hints", []any{
			method(rpc.Method{Func: c.Add, Name: "a", Hints: rpc.Hints{ReadOnly: rpc.Yes, Destructive: rpc.Yes}}),
			method(rpc.Method{Func: c.Add, Name: "b", Hints: rpc.Hints{ReadOnly: rpc.Yes}, Lock: rpc.Lock{On: "sku"}}),
			method(rpc.Method{Func: c.Total, Name: "c", Hints: rpc.Hints{ReadOnly: rpc.Yes}, Invalidates: []string{"Shop.d"}}),
			method(rpc.Method{Func: c.Total, Name: "d", Hints: rpc.Hints{ReadOnly: rpc.No}, Cache: rpc.Cache{TTL: time.Minute}}),
		}},
		{"cache and lock without effect", []any{
			method(rpc.Method{Func: c.Total, Name: "a", Cache: rpc.Cache{Shared: true}}),
			method(rpc.Method{Func: c.Total, Name: "b", Lock: rpc.Lock{Wait: time.Second}}),
			method(rpc.Method{Func: c.Total, Name: "c", Timeout: -1}),
			method(rpc.Method{Func: c.Total, Name: "d", Cache: rpc.Cache{StaleFor: time.Minute}}),
			method(rpc.Method{Func: c.Total, Name: "e", Cache: rpc.Cache{TTL: time.Minute, StaleFor: -1}}),
			method(rpc.Method{Func: c.Total, Name: "f", Idempotency: rpc.Idempotency{TTL: -1}}),
		}},
		{"cache and idempotency", []any{
			method(rpc.Method{Func: c.Total, Cache: rpc.Cache{TTL: time.Minute}, Idempotency: rpc.Idempotency{TTL: time.Hour}}),
		}},
		{"invalidates exact", []any{
			method(rpc.Method{Func: func(sku) {}, Name: "product", Cache: rpc.Cache{TTL: time.Minute}}),
			method(rpc.Method{Func: func() {}, Name: "all", Cache: rpc.Cache{TTL: time.Minute}}),
			method(rpc.Method{Func: c.Total, Name: "plain"}),
			method(rpc.Method{Func: func(struct {
				Item sku `json:"item"`
				Qty  int `json:"qty"`
			}) {
			}, Name: "buy", InvalidatesExact: []rpc.Invalidation{
				{Method: "Shop.none"}, {Method: "Shop.plain"}, {Method: "Shop.product"},
				{Method: "Shop.product", Params: map[string]string{"sku": "/item/id"}},
				{Method: "Shop.product", Params: map[string]string{"sku": "qty"}},
				{Method: "Shop.product", Params: map[string]string{"sku": "/item/sku", "id": "qty"}},
				{Method: "Shop.all", Params: map[string]string{"sku": "/item/sku"}},
				{Method: "Shop.product", Params: map[string]string{"sku": "/item/sku"}},
			}}),
		}},
		{"lock on nothing", []any{
			method(rpc.Method{Func: c.Add, Name: "a", Lock: rpc.Lock{On: "id"}}),
			method(rpc.Method{Func: c.Total, Name: "b", Lock: rpc.Lock{On: "id"}}),
			method(rpc.Method{Func: func(list) {}, Name: "c", Lock: rpc.Lock{On: "of"}}),
			method(rpc.Method{Func: func(exact) {}, Name: "d", Lock: rpc.Lock{On: "n"}}),
		}},
		{"invalidates nothing", []any{
			method(rpc.Method{Func: c.Add, Invalidates: []string{"Shop.search", "Shop.total"}}),
			method(rpc.Method{Func: c.Total}),
		}},
		{"errors", []any{method(rpc.Method{Func: c.Total, Errors: []rpcerrors.Declared{nil, soldOut, gone}})}},
		{"field without a tag", []any{named(func(noTag) {})}},
		{"required number", []any{named(func(required0) {})}},
		{"slice without dive", []any{named(func(noDive) {})}},
		{"omitempty on a number", []any{named(func(omitsNumber) {})}},
		{"default of another type", []any{named(func(badDefault) {})}},
		{"default against its rule", []any{named(func(lowDefault) {})}},
		{"zero against its rule", []any{named(func(lowZero) {})}},
		{"rule that panics", []any{named(func(panics) {})}},
		{"unknown rule", []any{named(func(unknownRule) {})}},
		{"type without JSON", []any{named(func(channel) {}), method(rpc.Method{Name: "out", Func: func() func() { return nil }})}},
		{"one name twice", []any{named(func(twice) {})}},
		{"several at once", []any{method(rpc.Method{Func: c.Total, Name: "a b", Since: -1}), named(func(noTag) {}), nil}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			golden(t, "fault "+tt.name, faultsOf(t, tt.services...)+"\n")
		})
	}
}

var (
	soldOut = rpcerrors.Define[struct{}](1001, "SoldOut", "Sold out.")
	gone    = rpcerrors.Define[struct{}](1001, "Gone", "Gone.")
)

func generic[T any]() T { var zero T; return zero }

func TestAppFaults(t *testing.T) {
	_, err := rpc.NewRegistry(rpc.App{
		Name: "my shop", Rules: []rpc.Rule{{Name: "sku"}, {Name: "slow", Func: func(validator.FieldLevel) bool { return true }}},
		Sources: []rpc.Source{rpc.SourceOf[cart](os.DirFS("testdata")), rpc.SourceOf[cart](fstest.MapFS{"broken.go": {Data: []byte("package broken; func {")}})},
	}, method(rpc.Method{Func: add}))
	golden(t, "fault app", err.Error()+"\n")
}

// A type with constants is an enum or says that it is not.
func TestMissedEnum(t *testing.T) {
	shop := method(rpc.Method{Name: "get", Func: func(stateful) (stateful, error) { return stateful{}, nil }})
	files := os.DirFS("testdata/enum")
	listed := rpc.App{Name: "test", Version: "1", Sources: []rpc.Source{rpc.SourceOf[State](files)}}
	_, err := rpc.NewRegistry(listed, shop)
	if err == nil {
		t.Fatal("registered without a fault")
	}
	golden(t, "fault enum", err.Error()+"\n")
	listed.Enums = []rpc.Enum{rpc.EnumOf(Open, Paid)}
	if _, err := rpc.NewRegistry(listed, shop); err != nil {
		t.Error(err)
	}
	listed.Enums = []rpc.Enum{rpc.NotEnum[State]()}
	if _, err := rpc.NewRegistry(listed, shop); err != nil {
		t.Error(err)
	}
	listed.Enums = []rpc.Enum{rpc.EnumOf[State]()}
	if _, err := rpc.NewRegistry(listed, shop); err == nil || !strings.Contains(err.Error(), "an Enum has no values") {
		t.Errorf("an enum without values: %v", err)
	}
}

// What an allow-list leaves out is told.
func TestUnpublished(t *testing.T) {
	r, err := rpc.NewRegistry(app, &described{})
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Unpublished(); len(got) != 1 || got[0] != "described.Put" {
		t.Errorf("Unpublished() = %q", got)
	}
}

// Names are the Go names with a small first letter, acronyms as one.
func TestNames(t *testing.T) {
	r, err := rpc.NewRegistry(app, &naming{})
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	for _, s := range r.Endpoint(rpc.DefaultGroup, 1).Specs() {
		got.WriteString(s.Name() + " ")
	}
	if want := "naming.getURL naming.httpServer naming.id naming.search "; got.String() != want {
		t.Errorf("got %q, want %q", got.String(), want)
	}
}

type naming struct{}

func (naming) GetURL(context.Context) {}
func (naming) ID() int                { return 1 }
func (naming) HTTPServer()            {}
func (naming) Search(*sku) error      { return nil }

// R-C11: a method lives from Since to Until, the newest wins, and a group has
// every version at which one of its methods begins or has ended.
func TestVersions(t *testing.T) {
	f := func() int { return 0 }
	r, err := rpc.NewRegistry(app, rpc.Service{Name: "S", Methods: []rpc.Method{
		{Name: "old", Func: f, Until: 1},
		{Name: "all", Func: f},
		{Name: "all", Func: f, Since: 3, Title: "third"},
		{Name: "new", Func: f, Since: 2},
		{Name: "own", Func: f, Groups: []string{"internal", "default"}, Since: 5, Until: 5},
		{Name: "inner", Func: f, Groups: []string{"internal"}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		group   string
		version int
		want    string
	}{
		{"default", 1, "S.old S.all "},
		{"default", 2, "S.new S.all "},
		{"default", 3, "S.all=third S.new "},
		{"default", 5, "S.own S.all=third S.new "},
		{"default", 6, "S.all=third S.new "},
		{"internal", 1, "S.inner "},
		{"internal", 5, "S.own S.inner "},
		{"internal", 6, "S.inner "},
	} {
		got := ""
		for _, s := range r.Endpoint(tt.group, tt.version).Specs() {
			got += s.Name()
			if s.Declared.Title != "" {
				got += "=" + s.Declared.Title
			}
			got += " "
		}
		if got != tt.want {
			t.Errorf("%s v%d: got %q, want %q", tt.group, tt.version, got, tt.want)
		}
	}
	for _, missing := range []struct {
		group   string
		version int
	}{{"default", 4}, {"default", 7}, {"internal", 2}, {"nobody", 1}, {"default", 0}} {
		if e := r.Endpoint(missing.group, missing.version); e != nil {
			t.Errorf("%s v%d exists", missing.group, missing.version)
		}
	}
}
