package client_test

import (
	"strings"
	"testing"
	"time"

	"github.com/facet-rpc/facet/transport/rpchttp/client"
	"github.com/go-json-experiment/json/jsontext"
)

// named is text of a type of its own, upper one that writes itself.
type named string

type upper string

func (u upper) MarshalText() ([]byte, error) { return []byte(strings.ToUpper(string(u))), nil }

type order struct {
	SKU   client.Param[string]        `json:"sku,omitzero"`
	Count client.Param[int]           `json:"count,omitzero"`
	For   client.Param[time.Duration] `json:"for,omitzero"`
}

type listed struct {
	Items []struct {
		SKU string `json:"sku"`
	} `json:"items"`
}

// What a batch of a client with references sends, behind a call with the id 1.
func TestReferencesOnTheWire(t *testing.T) { // R-C08
	for _, c := range []struct {
		name   string
		params func(found client.Ref[listed]) any
		want   string
	}{
		{"the result", func(r client.Ref[listed]) any { return map[string]any{"p": r} }, `{"p":"@FROM:1()"}`},
		{"a path", func(r client.Ref[listed]) any { return []any{client.At[string](r, "items.0.sku")} }, `["@FROM:1(items.0.sku)"]`},
		{"a path in steps", func(r client.Ref[listed]) any {
			return []any{client.At[string](client.At[any](r, "items"), "0.sku")}
		}, `["@FROM:1(items.0.sku)"]`},
		{"beside values", func(r client.Ref[listed]) any {
			return order{SKU: client.At[string](r, "a"), Count: client.Value(0), For: client.Value(time.Minute)}
		}, `{"sku":"@FROM:1(a)","count":0,"for":"1m0s"}`},
		{"beside members that are left out", func(r client.Ref[listed]) any {
			return struct {
				A []int                `json:"a,omitempty"`
				B *client.Ref[listed]  `json:"b"`
				C map[string]int       `json:"c,omitempty"`
				D map[string]any       `json:",embed"`
				E client.Param[string] `json:"e"`
			}{B: &r, D: map[string]any{"d": r, "t": "@FROM:1()"}}
		}, `{"b":"@FROM:1()","e":null,"d":"@FROM:1()","t":"@@FROM:1()"}`},
		{"names that are numbers", func(r client.Ref[listed]) any { return map[int]any{2: r, 1: "@FROM:1()", 10: r} }, `{"1":"@@FROM:1()","10":"@FROM:1()","2":"@FROM:1()"}`},
		{"as another type", func(r client.Ref[listed]) any { return order{Count: client.As[int](r)} }, `{"count":"@FROM:1()"}`},
		{"no parameter", func(client.Ref[listed]) any { return order{} }, `{}`},
		{"text beside a reference", func(r client.Ref[listed]) any {
			return []any{"@FROM:1()", r, "@FROM:1()"}
		}, `["@@FROM:1()","@FROM:1()","@@FROM:1()"]`},
		{"text as a value", func(client.Ref[listed]) any { return order{SKU: client.Value("@FROM:1()")} }, `{"sku":"@@FROM:1()"}`},
		{"marked text", func(client.Ref[listed]) any { return []string{"@@FROM:", "@@@FROM:1()"} }, `["@@@FROM:","@@@@FROM:1()"]`},
		{"other types of text", func(client.Ref[listed]) any {
			return struct {
				A named   `json:"a"`
				B upper   `json:"b"`
				C *string `json:"c"`
				D any     `json:"d"`
			}{"@FROM:a", "@from:b", new("@FROM:c"), "@FROM:d"}
		}, `{"a":"@@FROM:a","b":"@@FROM:B","c":"@@FROM:c","d":"@@FROM:d"}`},
		{"raw JSON", func(client.Ref[listed]) any { return jsontext.Value(` { "a" : "\u0040FROM:\u0031()" } `) }, `{"a":"@@FROM:1()"}`},
		{"a name is no text", func(client.Ref[listed]) any { return map[string]string{"@FROM:1()": "@FROM"} }, `{"@FROM:1()":"@FROM"}`},
		{"what lies deeper is data", func(client.Ref[listed]) any {
			return map[string]any{"a": []string{"@FROM:1()"}, "$rpc": map[string]string{"rayId": "@FROM:1()"}}
		}, `{"$rpc":{"rayId":"@FROM:1()"},"a":["@FROM:1()"]}`},
		{"other text", func(client.Ref[listed]) any { return []string{"FROM:1()", " @FROM:1()", "@ FROM:", "@", ""} }, `["FROM:1()"," @FROM:1()","@ FROM:","@",""]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := &exchange{status: 200, answer: `[]`}
			b := serve(t, e, client.Options{References: true}).Batch()
			found := client.Add[listed](b, "find", nil)
			b.Notify("seen", c.params(found.Ref()))
			client.Add[int](b, "take", c.params(found.Ref()))
			if err := b.Send(t.Context()); err != nil {
				t.Fatal(err)
			}
			want := `[{"jsonrpc":"2.0","id":1,"method":"find"},{"jsonrpc":"2.0","method":"seen","params":` + c.want +
				`},{"jsonrpc":"2.0","id":2,"method":"take","params":` + c.want + `}]`
			if e.body != want {
				t.Errorf("sent %s\nwant %s", e.body, want)
			}
		})
	}
}

// Without the option, and in a call alone, text is sent as it stands.
func TestTextWithoutReferences(t *testing.T) { // R-C08
	params := []any{"@FROM:1()", "@@FROM:", client.Value("@FROM:x")}
	const raw = `"params":["@FROM:1()","@@FROM:","@FROM:x"]`
	for _, on := range []bool{false, true} {
		e := &exchange{status: 200, answer: `{"jsonrpc":"2.0","id":1,"result":null}`}
		c := serve(t, e, client.Options{References: on})
		if _, err := client.Call[struct{}](t.Context(), c, "m", params); err != nil || !strings.Contains(e.body, raw) {
			t.Errorf("sent %s, %v", e.body, err)
		}
		e.answer = ``
		if err := c.Notify(t.Context(), "m", params); err != nil || !strings.Contains(e.body, raw) {
			t.Errorf("sent %s, %v", e.body, err)
		}
	}
	e := &exchange{status: 200, answer: `[]`}
	b := serve(t, e, client.Options{}).Batch()
	client.Add[int](b, "m", params)
	if err := b.Send(t.Context()); err != nil || !strings.Contains(e.body, raw) {
		t.Errorf("sent %s, %v", e.body, err)
	}
}

// A reference where none can be is an error before anything is sent.
func TestReferencesThatCannotBe(t *testing.T) { // R-C08
	for _, c := range []struct {
		name   string
		on     bool
		params func(own, other client.Ref[int]) any
		want   string
	}{
		{"without the option", false, func(own, _ client.Ref[int]) any { return []any{own} }, "Options.References"},
		{"of another batch", true, func(_, other client.Ref[int]) any { return []any{other} }, "the same batch"},
		{"of no batch", true, func(_, _ client.Ref[int]) any { return []any{client.Ref[int]{}} }, "the same batch"},
		{"inside a parameter", true, func(own, _ client.Ref[int]) any { return []any{[]any{own}} }, "only a whole parameter"},
		{"as the params", true, func(own, _ client.Ref[int]) any { return own }, "params are an object or an array"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := &exchange{status: 200, answer: `[]`}
			made := serve(t, e, client.Options{References: c.on})
			b := made.Batch()
			own, other := client.Add[int](b, "a", nil), client.Add[int](made.Batch(), "a", nil)
			client.Add[int](b, "b", c.params(own.Ref(), other.Ref()))
			if err := b.Send(t.Context()); err == nil || !strings.Contains(err.Error(), "b: params: ") || !strings.Contains(err.Error(), c.want) || e.body != "" {
				t.Errorf("got %v, sent %q", err, e.body)
			}
		})
	}
	e := &exchange{status: 200}
	c := serve(t, e, client.Options{References: true})
	ref := client.Add[int](c.Batch(), "a", nil).Ref()
	if _, err := client.Call[int](t.Context(), c, "b", []any{ref}); err == nil || !strings.Contains(err.Error(), "params in a batch") || e.body != "" {
		t.Errorf("in a call alone: %v, sent %q", err, e.body)
	}
}
