package oauth_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/guard/oauth"
	"github.com/facet-rpc/facet/transport/mcp"
	"github.com/facet-rpc/facet/transport/rpchttp"
	"github.com/gin-gonic/gin"
)

// mountShop puts the edges behind the tokens of login.shop.example.
func mountShop(ctx context.Context, engine *gin.Engine, exec *rpc.Executor) error {
	const public = "https://shop.example"
	server, err := oauth.New(ctx, oauth.Options{
		Issuer:   "https://login.shop.example",
		Audience: []string{public + "/rpc", public + "/mcp"},
		Groups: map[string][]string{
			"shop:use":   {rpc.DefaultGroup, mcp.Group},
			"shop:admin": {rpc.AnyGroup},
		},
	})
	if err != nil {
		return err
	}
	policy := guard.Policy{PublicURL: public, Verifier: server.Verify, Challenge: server.Challenge()}
	return guard.Mount(engine, exec, policy, rpchttp.Edge{}, mcp.Edge{}, oauth.Metadata{
		Servers: []string{"https://login.shop.example"},
		Paths:   []string{"/rpc", "/mcp"},
		Scopes:  []string{"shop:use"},
	})
}

// introspected takes opaque tokens, about which the server is asked.
func introspected() oauth.Options {
	return oauth.Options{
		Audience: []string{"https://shop.example/mcp"},
		Introspection: &oauth.Introspection{
			URL:      "https://login.shop.example/oauth2/introspect",
			ClientID: "shop",
			Secret:   os.Getenv("SHOP_OAUTH_SECRET"),
		},
	}
}

func Example() {
	registry, err := rpc.NewRegistry(rpc.App{Name: "shop", Version: "1.0.0"}, rpc.Service{
		Name: "Shop", Groups: []string{rpc.DefaultGroup, mcp.Group},
		Methods: []rpc.Method{{Name: "open", Func: func() bool { return true }}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	exec, err := rpc.NewExecutor(registry, rpc.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	engine := gin.New()
	if err := mountShop(context.Background(), engine, exec); err != nil {
		fmt.Println(err)
		return
	}
	get := func(method, path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		engine.ServeHTTP(w, httptest.NewRequest(method, "https://shop.example"+path, http.NoBody))
		return w
	}
	refused := get(http.MethodPost, "/mcp")
	fmt.Println(refused.Code, refused.Header().Get("WWW-Authenticate"))
	fmt.Println(get(http.MethodGet, oauth.WellKnown+"/mcp").Body)
	_, err = oauth.New(context.Background(), introspected())
	fmt.Println(err)
	// Output:
	// 401 Bearer scope="shop:use", resource_metadata="https://shop.example/.well-known/oauth-protected-resource/mcp"
	// {"resource":"https://shop.example/mcp","authorization_servers":["https://login.shop.example"],"scopes_supported":["shop:use"],"bearer_methods_supported":["header"]}
	// oauth: Introspection needs URL, ClientID and Secret; were the environment variables set?
}
