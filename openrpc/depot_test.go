package openrpc_test

import (
	"context"
	"time"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc"
)

// Depot keeps goods.
type Depot struct{}

// State is what an item is good for.
type State string

// The states.
const (
	Fresh State = "fresh" // as delivered
	Spent State = "spent" // used up
)

// Item is one kind of goods.
type Item struct {
	SKU   string    `json:"sku" validate:"min=1,max=20"` // the key
	State State     `json:"state" jsonschema_description:"How good it is"`
	Added time.Time `json:"added,omitzero"`
	Note  *string   `json:"note,omitzero"`
}

// Node is a shelf with shelves on it.
type Node struct {
	Name string  `json:"name" validate:"min=1"`
	Kids []*Node `json:"kids" validate:"dive"`
}

// Resource has the name of a type of another package.
type Resource struct {
	Weight float64 `json:"weight"`
}

// Left is the data of OutOfStock.
type Left struct {
	SKU  string `json:"sku"`
	Left int    `json:"left"`
}

// The errors of the depot. Gone is another error of the same kind, as a second
// package might have it.
var (
	OutOfStock = rpcerrors.Define[Left](1001, "OutOfStock", "Only {{.Left}} of {{.SKU}} left.")
	Gone       = rpcerrors.Define[struct{}](1002, "OutOfStock", "Gone for ever.")
)

type searchParams struct {
	Query string `json:"query" validate:"max=200" jsonschema_description:"Part of the SKU"`
	Limit int    `json:"limit,omitzero" validate:"min=1,max=100" default:"10" jsonschema:"description=How many items at most"`
	State *State `json:"state" jsonschema:"deprecated=Filter the answer."`
}

// Search finds items.
func (d *Depot) Search(p searchParams) ([]Item, error) {
	return []Item{{SKU: p.Query + "-1", State: Fresh}}, nil
}

type findParams struct {
	SKU string `json:"sku" validate:"min=1" jsonschema:"title=Key,example=TEA-1"`
}

// Find returns an item, or null.
func (d *Depot) Find(p findParams) *Item { return nil }

type treeParams struct {
	Root  Node           `json:"root"`
	Marks map[string]int `json:"marks,omitempty"`
}

// Tree returns the shelves as they were given.
func (d *Depot) Tree(ctx context.Context, p treeParams) Node { return p.Root }

type attachParams struct {
	Mine   Resource     `json:"mine"`
	Theirs rpc.Resource `json:"theirs"`
}

// Pair is both resources.
type Pair struct {
	Mine   Resource     `json:"mine"`
	Theirs rpc.Resource `json:"theirs"`
}

// Attach returns both.
func (d *Depot) Attach(p attachParams) Pair { return Pair(p) }

type takeParams struct {
	Reason string        `json:"reason,omitempty"`
	SKU    string        `json:"sku" validate:"min=1" jsonschema_description:"The key"`
	Count  int           `json:"count" validate:"min=1"`
	Within time.Duration `json:"within,omitzero"`
}

// Take takes items off the shelf.
func (d *Depot) Take(p takeParams) error { return OutOfStock.New(Left{p.SKU, 0}) }

// Drop forgets an item for ever.
func (d *Depot) Drop(p findParams) error { return Gone.New(struct{}{}) }

// Count counts.
func (d *Depot) Count() int64 { return 1 }

// Any returns what it was given.
func (d *Depot) Any(p struct {
	Value any            `json:"value"`
	Bag   map[string]any `json:"bag,omitempty"`
	List  []any          `json:"list,omitempty"`
}) any {
	return p.Value
}

// Secret is what only auditors may see.
type Secret struct {
	Word string `json:"word"`
}

// Audit is for auditors.
func (d *Depot) Audit() Secret { return Secret{"open"} }

// Backup is for the people of the depot.
func (d *Depot) Backup() error { return nil }

// RPC says how the depot is published.
func (d *Depot) RPC() rpc.Service {
	return rpc.Service{Methods: []rpc.Method{
		{Func: d.Search, Description: "Finds items.", Until: 1, Deprecated: "Use find.", Hints: rpc.Hints{ReadOnly: rpc.Yes},
			Cache: rpc.Cache{TTL: 90 * time.Second, Shared: true}},
		{Func: d.Find, Since: 2, Title: "Find an item", Tags: []string{"reading", "items"}, Errors: []rpcerrors.Declared{rpcerrors.NotFound}},
		{Func: d.Tree, Groups: []string{rpc.DefaultGroup, "mcp"}},
		{Func: d.Attach},
		{Func: d.Take, Lock: rpc.Lock{On: "sku", Wait: 500 * time.Millisecond}, Timeout: 30 * time.Second,
			Hints: rpc.Hints{Destructive: rpc.Yes, Idempotent: rpc.No}, Errors: []rpcerrors.Declared{OutOfStock}},
		{Func: d.Drop, Errors: []rpcerrors.Declared{Gone, rpcerrors.InvalidParams}},
		{Func: d.Count},
		{Func: d.Any},
		{Func: d.Audit, Scopes: []string{"audit"}},
		{Func: d.Backup, Groups: []string{"internal"}},
	}}
}

func app() rpc.App {
	return rpc.App{
		Name: "depot", Title: "The depot", Version: "1.2.3", Description: "Keeps goods.",
		Website: "https://depot.example",
		Enums:   []rpc.Enum{rpc.EnumOf(Fresh, Spent)},
		Texts:   texts{},
	}
}

// texts has Ukrainian for one method.
type texts struct{}

func (texts) Language(accept string) string {
	if len(accept) >= 2 && accept[:2] == "uk" {
		return "uk"
	}
	return "en"
}

func (texts) Text(lang, group, key string) (string, bool) {
	text, ok := map[string]string{
		"Depot.count.title":        "Порахувати",
		"Depot.take.params.sku":    "Ключ",
		"Depot.count.description":  "Рахує.",
		"Depot.attach.description": "Повертає обидва.",
	}[key]
	return text, ok && lang == "uk"
}
