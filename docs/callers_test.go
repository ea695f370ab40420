package docs_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/rpc/rpctest"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/rpchttp"
	"github.com/gin-gonic/gin"
)

// Carts keep what people are about to buy: one cart for each caller.
type Carts struct {
	mu    sync.Mutex
	lines map[string][]string // SKUs by the caller's ID
}

// RPC says how carts are published.
func (c *Carts) RPC() rpc.Service {
	return rpc.Service{Methods: []rpc.Method{
		{Func: c.Add},
		{Func: c.Mine, Cache: rpc.Cache{TTL: time.Minute}, Tags: []string{"beta"}},
		{Func: c.Clear, Scopes: []string{"carts:admin"}, Hints: rpc.Hints{Destructive: rpc.Yes}},
		{Func: c.Shop, Cache: rpc.Cache{TTL: time.Hour, Shared: true}},
	}}
}

// AddParams are what goes into the cart.
type AddParams struct {
	// SKU of the product.
	SKU string `json:"sku"`
}

// Add puts a product into the caller's cart.
func (c *Carts) Add(ctx context.Context, p AddParams) error {
	owner := rpc.CallFrom(ctx).Caller.ID
	if owner == "" {
		return rpcerrors.Logic.New("Who is nobody has no cart.")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lines[owner] = append(c.lines[owner], p.SKU)
	return nil
}

// Mine is what is in the caller's cart.
func (c *Carts) Mine(ctx context.Context) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.lines[rpc.CallFrom(ctx).Caller.ID])
}

// Clear empties all carts.
func (c *Carts) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.lines)
}

// Shop greets: the same for everybody, so it cannot greet by name.
func (c *Carts) Shop(ctx context.Context) string {
	return "Welcome, " + rpc.CallFrom(ctx).Caller.ID + "!"
}

func newCarts() *Carts { return &Carts{lines: map[string][]string{}} }

func TestCartsOfCallers(t *testing.T) {
	srv := rpctest.New(t, newCarts())
	anna, bob := srv.As(rpc.Caller{ID: "anna"}), srv.As(rpc.Caller{ID: "bob"})
	if _, err := rpctest.Call[struct{}](anna, "Carts.add", AddParams{"TEA-01"}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		who  *rpctest.Server
		want int
	}{{anna, 1}, {bob, 0}} {
		if mine, err := rpctest.Call[[]string](c.who, "Carts.mine", nil); err != nil || len(mine) != c.want {
			t.Errorf("%v, %v; want %d", mine, err, c.want)
		}
	}
	if _, err := rpctest.Call[struct{}](srv.As(rpc.Caller{}), "Carts.add", AddParams{"TEA-01"}); !errors.Is(err, rpcerrors.Logic) {
		t.Errorf("anonymous: %v", err)
	}
	if text, err := rpctest.Call[string](anna, "Carts.shop", nil); err != nil || text != "Welcome, !" {
		t.Errorf("under Shared: %q, %v", text, err)
	}
}

// TestScope: what a caller's token does not grant does not exist for it.
func TestScope(t *testing.T) {
	srv := rpctest.New(t, newCarts())
	if _, err := rpctest.Call[struct{}](srv.As(rpc.Caller{ID: "anna"}), "Carts.clear", nil); !errors.Is(err, rpcerrors.MethodNotFound) {
		t.Errorf("without the scope: %v", err)
	}
	admin := srv.As(rpc.Caller{ID: "olga", Scopes: []string{"carts:admin"}})
	if _, err := rpctest.Call[struct{}](admin, "Carts.clear", nil); err != nil {
		t.Errorf("with the scope: %v", err)
	}
}

// betaTesters hides methods with the tag beta from everybody else.
func betaTesters(ids ...string) func(*rpc.Caller, *rpc.Spec) bool {
	return func(c *rpc.Caller, s *rpc.Spec) bool {
		return !slices.Contains(s.Declared.Tags, "beta") || slices.Contains(ids, c.ID)
	}
}

func TestVisible(t *testing.T) {
	srv := rpctest.Start(t, rpc.App{Name: "carts", Version: "1.0.0"}, rpc.Options{Visible: betaTesters("anna")}, newCarts())
	if _, err := rpctest.Call[[]string](srv.As(rpc.Caller{ID: "anna"}), "Carts.mine", nil); err != nil {
		t.Errorf("a tester: %v", err)
	}
	if _, err := rpctest.Call[[]string](srv.As(rpc.Caller{ID: "bob"}), "Carts.mine", nil); !errors.Is(err, rpcerrors.MethodNotFound) {
		t.Errorf("another: %v", err)
	}
}

// account is what the application knows of a person.
type account struct {
	id    string
	staff bool
}

// verifier finds people by their tokens; find is a question to the database.
func verifier(find func(ctx context.Context, token string) (*account, error)) guard.Verifier {
	return func(ctx context.Context, token string) (*rpc.Caller, error) {
		a, err := find(ctx, token)
		if err != nil {
			return nil, err // 503: nobody knows whether the token is good
		}
		if a == nil {
			return nil, guard.ErrToken // 403
		}
		caller := &rpc.Caller{ID: a.id}
		if a.staff {
			caller.Groups = []string{rpc.DefaultGroup, "internal"}
			caller.Scopes = []string{"carts:admin"}
		}
		return caller, nil
	}
}

func TestVerifier(t *testing.T) {
	registry, err := rpc.NewRegistry(rpc.App{Name: "carts", Version: "1.0.0"}, rpc.Service{Name: "Who", Methods: []rpc.Method{
		{Name: "am", Func: func(ctx context.Context) string { return rpc.CallFrom(ctx).Caller.ID }},
	}})
	if err != nil {
		t.Fatal(err)
	}
	exec, err := rpc.NewExecutor(registry, rpc.Options{})
	if err != nil {
		t.Fatal(err)
	}
	engine := gin.New()
	find := func(_ context.Context, token string) (*account, error) {
		switch token {
		case "good":
			return &account{id: "anna"}, nil
		case "broken":
			return nil, errors.New("the database is away")
		}
		return nil, nil
	}
	if err := guard.Mount(engine, exec, guard.Policy{Verifier: verifier(find)}, rpchttp.Edge{}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		token  string
		status int
		body   string
	}{{"good", 200, `"result":"anna"`}, {"bad", 403, "-32403"}, {"broken", 503, "-32503"}} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://localhost/rpc", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"Who.am"}`))
		r.Header.Set("Authorization", "Bearer "+c.token)
		w := httptest.NewRecorder()
		engine.ServeHTTP(w, r)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.body) {
			t.Errorf("%s: %d %s", c.token, w.Code, w.Body)
		}
	}
}
