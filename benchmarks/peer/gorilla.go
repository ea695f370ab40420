package peer

import (
	"net/http"
	"strings"

	"github.com/facet-rpc/facet/benchmarks/work"
	"github.com/gorilla/rpc/v2"
	"github.com/gorilla/rpc/v2/json2"
)

func gorillaServer() Server {
	return Server{
		Name: "gorilla/rpc",
		RPC: &RPC{Path: "/rpc", Method: func(service, method string) string {
			return service + "." + strings.ToUpper(method[:1]) + method[1:]
		}},
		New: func(size Size) (http.Handler, error) {
			server := rpc.NewServer()
			server.RegisterCodec(json2.NewCodec(), "application/json")
			shop := &gorillaShop{rules: work.NewRules()}
			for _, name := range size.services() {
				if err := server.RegisterService(shop, name); err != nil {
					return nil, err
				}
			}
			return route("/rpc", server), nil
		},
	}
}

// gorillaShop is [work.Shop] in the form that gorilla/rpc asks for.
type gorillaShop struct {
	shop  work.Shop
	rules work.Rules
}

// Echo is work.Shop's.
func (g *gorillaShop) Echo(r *http.Request, p *work.Echo, out *string) (err error) {
	*out, err = g.shop.Echo(r.Context(), *p)
	return err
}

// Add is work.Shop's.
func (g *gorillaShop) Add(r *http.Request, p *work.Sum, out *int) (err error) {
	*out, err = g.shop.Add(r.Context(), *p)
	return err
}

// Search is work.Shop's.
func (g *gorillaShop) Search(r *http.Request, p *work.Query, out *[]work.Product) (err error) {
	if err := g.rules.Check(p); err != nil {
		return err
	}
	*out, err = g.shop.Search(r.Context(), *p)
	return err
}

// Order is work.Shop's.
func (g *gorillaShop) Order(r *http.Request, p *work.Order, out *work.Invoice) (err error) {
	if err := g.rules.Check(p); err != nil {
		return err
	}
	*out, err = g.shop.Order(r.Context(), *p)
	return err
}
