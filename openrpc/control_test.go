package openrpc_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/facet-rpc/facet/openrpc"
	"github.com/facet-rpc/facet/rpc"
	"github.com/go-json-experiment/json"
)

// R-O02: what the document says of $rpc is what the executor takes: a text of
// the least and of the most length, and none beside.
func TestControlIsTaken(t *testing.T) {
	registry, err := rpc.NewRegistry(rpc.App{Name: "test", Version: "1.0.0"}, rpc.Service{Name: "S", Methods: []rpc.Method{
		{Name: "pay", Func: func() int { return 1 }, Idempotency: rpc.Idempotency{TTL: time.Hour}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	exec, err := rpc.NewExecutor(registry, rpc.Options{Records: pool(t)})
	if err != nil {
		t.Fatal(err)
	}
	endpoint := registry.Endpoint(rpc.DefaultGroup, 1)
	var doc struct {
		Control struct {
			Properties map[string]struct{ MinLength, MaxLength int }
		} `json:"x-rpc"`
	}
	if err := json.Unmarshal(document(t, registry, 1, openrpc.Options{}), &doc, json.MatchCaseInsensitiveNames(true)); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"rayId", "idempotencyKey"} {
		said := doc.Control.Properties[name]
		for length, want := range map[int]bool{said.MinLength - 1: false, said.MinLength: true, said.MaxLength: true, said.MaxLength + 1: false} {
			params := fmt.Sprintf(`{"$rpc":{%q:%q}}`, name, strings.Repeat("k", length))
			_, failure := exec.Do(t.Context(), &rpc.Call{Endpoint: endpoint, Method: "S.pay", Params: []byte(params), Control: true})
			if (failure == nil) != want {
				t.Errorf("%s of %d characters: %v", name, length, failure)
			}
		}
	}
}
