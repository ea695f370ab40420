package rpchttp_test

import (
	stderrors "errors"
	"net/http/httptest"
	"testing"
	"time"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/rpchttp"
	"github.com/facet-rpc/facet/transport/rpchttp/client"
	"github.com/gin-gonic/gin"
)

// Shop is what the Go client calls.
type Shop struct{}

type left struct {
	SKU  string `json:"sku"`
	Left int    `json:"left"`
}

type purchase struct {
	SKU  string        `json:"sku"`
	Qty  int64         `json:"qty"`
	Hold time.Duration `json:"hold,omitzero"`
	Tags []string      `json:"tags,omitzero"`
	At   time.Time     `json:"at,omitzero"`
	Raw  []byte        `json:"raw,omitzero"`
}

var outOfStock = rpcerrors.Define[left](1001, "OutOfStock", "Only {{.Left}} of {{.SKU}} left.")

// Buy answers what it was told, or that there is not enough.
func (Shop) Buy(p purchase) (*purchase, error) {
	if p.Qty > 1<<60 {
		return nil, outOfStock.New(left{p.SKU, 2})
	}
	return &p, nil
}

// The Go client and the edge understand each other: values, errors of their
// kind with data, violations, refusals of the guard.
func TestGoClient(t *testing.T) {
	engine := gin.New()
	mount(t, engine, execute(t, rpc.Options{}, Shop{}), rpchttp.Edge{Batch: 3}, guard.Policy{
		Tokens: []guard.Token{{Secret: "secret", Caller: rpc.Caller{ID: "ann"}}}})
	server := httptest.NewServer(engine)
	defer server.Close()
	c := client.New(server.URL+"/rpc", client.Options{HTTPClient: server.Client(), Token: "secret"})

	sent := purchase{"tea", 9007199254740993, 90 * time.Second, []string{"a", "é"}, time.Date(2026, 5, 4, 3, 2, 1, 5, time.UTC), []byte{0, 255}}
	got, err := client.Call[purchase](t.Context(), c, "Shop.buy", sent)
	if err != nil || got.Qty != sent.Qty || got.Hold != sent.Hold || !got.At.Equal(sent.At) || string(got.Raw) != string(sent.Raw) || got.Tags[1] != "é" {
		t.Errorf("got %+v, %v, want %+v", got, err, sent)
	}

	_, err = client.Call[purchase](t.Context(), c, "Shop.buy", purchase{SKU: "tea", Qty: 1<<60 + 1})
	if data, ok := outOfStock.Data(err); !stderrors.Is(err, outOfStock) || !ok || data != (left{"tea", 2}) {
		t.Errorf("%v: %v, %v", err, data, ok)
	}
	_, err = client.Call[purchase](t.Context(), c, "Shop.buy", map[string]any{"sku": 1})
	var public *rpcerrors.Error
	if !stderrors.Is(err, rpcerrors.InvalidParams) || !stderrors.As(err, &public) || len(public.Violations()) != 2 { // R-C05
		t.Errorf("got %v", err)
	}
	if err := c.Notify(t.Context(), "Shop.buy", purchase{SKU: "tea"}); err != nil {
		t.Error(err)
	}
	stranger := client.New(server.URL+"/rpc", client.Options{HTTPClient: server.Client()})
	if _, err := client.Call[string](t.Context(), stranger, "ping", nil); !stderrors.Is(err, rpcerrors.TokenMissing) {
		t.Errorf("without a token: %v", err)
	}

	b := c.Batch()
	pong := client.Add[string](b, "ping", nil)
	lost := client.Add[purchase](b, "Shop.buy", purchase{SKU: "milk", Qty: 1<<60 + 1})
	b.Notify("Shop.buy", purchase{SKU: "tea"})
	if err := b.Send(t.Context()); err != nil {
		t.Fatal(err)
	}
	if v, err := pong.Result(); v != "PONG" || err != nil {
		t.Errorf("ping: %v, %v", v, err)
	}
	if _, err := lost.Result(); !stderrors.Is(err, outOfStock) || err.Error() != "Only 2 of milk left." {
		t.Errorf("got %v", err)
	}

	tooMany := c.Batch()
	for range 4 {
		pong = client.Add[string](tooMany, "ping", nil)
	}
	if err := tooMany.Send(t.Context()); !stderrors.Is(err, rpcerrors.InvalidRequest) {
		t.Errorf("got %v", err)
	}
	if _, err := pong.Result(); !stderrors.Is(err, rpcerrors.InvalidRequest) {
		t.Errorf("got %v", err)
	}
}
