package mcp_test

import (
	"context"
	"errors"
	"time"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc"
)

// Depot is a service with one of everything that tools can do.
type Depot struct{}

type FindParams struct {
	Query string `json:"query" validate:"max=20" jsonschema_description:"Part of the name"`
	Limit int    `json:"limit,omitzero" validate:"min=1,max=100" default:"10"`
}

type Item struct {
	SKU   string   `json:"sku"`
	Name  string   `json:"name"`
	Price int64    `json:"price"`
	Tags  []string `json:"tags"`
}

func (*Depot) Find(_ context.Context, p FindParams) ([]Item, error) {
	return []Item{{SKU: "t1", Name: p.Query + ` "quoted" \ back`, Price: 9007199254740993}}, nil
}

type PingParams struct {
	Who string `json:"who" default:"x" jsonschema_description:"Who is pinging"`
}

func (*Depot) Ping(p PingParams) string { return "pong " + p.Who }

// Node is a recursive type.
type Node struct {
	Name string  `json:"name"`
	Kids []*Node `json:"kids,omitzero"`
}

type TreeParams struct {
	Root Node `json:"root"`
}

func (*Depot) Tree(p TreeParams) Node { return p.Root }

func (*Depot) Clear() error { return nil }

func (*Depot) Maybe() *Item { return nil }

func (*Depot) Anything() any { return map[string]any{"a": 1} }

type PictureParams struct {
	Link bool `json:"link,omitzero"`
}

func (*Depot) Picture(p PictureParams) rpc.Content {
	if p.Link {
		return rpc.Content{rpc.LinkBlock("https://depot.example/a", "A", "", ""), rpc.AudioBlock("audio/wav", []byte{1})}
	}
	return rpc.Content{rpc.TextBlock("hi"), rpc.ImageBlock("image/png", []byte{1, 2, 3})}
}

type Left struct {
	Left int `json:"left"`
}

var soldOut = rpcerrors.Define[Left](1001, "SoldOut", "Only {{.Left}} left.")

func (*Depot) Sell() error { return soldOut.New(Left{3}) }

func (*Depot) Break() error { return errors.New("disk on fire") }

func (*Depot) Panic() { panic("boom") }

type MailParams struct {
	To   string `json:"to" validate:"email"`
	From int    `json:"from"`
	Till int    `json:"till" validate:"gtfield=From"`
}

func (*Depot) Mail(p MailParams) string { return p.To }

func (*Depot) Secret() string { return "secret" }

func (d *Depot) Count() time.Duration { return 90 * time.Second }

func (d *Depot) RPC() rpc.Service {
	return rpc.Service{Groups: []string{"mcp"}, Methods: []rpc.Method{
		{Func: d.Find, Description: "Finds goods.", Title: "Find goods", Hints: rpc.Hints{ReadOnly: rpc.Yes}},
		{Func: d.Ping, Description: "Answers."},
		{Func: d.Tree},
		{Func: d.Clear, Hints: rpc.Hints{ReadOnly: rpc.No, Destructive: rpc.Yes, Idempotent: rpc.Yes, OpenWorld: rpc.No}},
		{Func: d.Maybe},
		{Func: d.Anything},
		{Func: d.Picture},
		{Func: d.Sell, Errors: []rpcerrors.Declared{soldOut}},
		{Func: d.Break},
		{Func: d.Panic},
		{Func: d.Mail},
		{Func: d.Secret, Scopes: []string{"secrets"}},
		{Func: d.Count, Cache: rpc.Cache{TTL: time.Minute, Shared: true}},
	}}
}
