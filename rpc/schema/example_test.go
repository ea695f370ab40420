package schema_test

import (
	"fmt"
	"reflect"
	"time"

	"github.com/facet-rpc/facet/rpc/schema"
)

type SearchParams struct {
	Query string        `json:"query" validate:"max=200" jsonschema_description:"Part of the name"`
	Limit int           `json:"limit" validate:"min=1,max=100" default:"10"`
	Wait  time.Duration `json:"wait,omitzero"`
}

func ExampleModel_InputObject() {
	m := schema.NewModel(schema.Config{})
	params, faults := m.OfParams(reflect.TypeFor[SearchParams]())
	if faults != nil {
		fmt.Println(faults)
		return
	}
	text, _ := schema.Encode(m.InputObject(params, schema.Style{}))
	text.Indent()
	fmt.Println(string(text))
	// Output:
	// {
	// 	"type": "object",
	// 	"properties": {
	// 		"query": {
	// 			"type": "string",
	// 			"description": "Part of the name",
	// 			"maxLength": 200
	// 		},
	// 		"limit": {
	// 			"type": "integer",
	// 			"minimum": 1,
	// 			"maximum": 100,
	// 			"default": 10
	// 		},
	// 		"wait": {
	// 			"type": "string",
	// 			"pattern": "^[-+]?(0|(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$"
	// 		}
	// 	},
	// 	"required": [
	// 		"query"
	// 	],
	// 	"additionalProperties": false
	// }
}

func ExampleModel_OfParams() {
	type Params struct {
		Amount int    `json:"amount" validate:"required"`
		Note   string `validate:"max=80"`
	}
	_, faults := schema.NewModel(schema.Config{}).OfParams(reflect.TypeFor[Params]())
	for _, f := range faults {
		fmt.Println(f)
	}
	// Output:
	// schema_test.Params.Amount: validate:"required" on a number refuses 0; leave it out: presence is already required
	// schema_test.Params.Note: it has no JSON name; add a tag such as json:"note"
}

func ExampleModel_Definitions() {
	type Address struct {
		City string `json:"city"`
	}
	type Person struct {
		Home Address  `json:"home"`
		Work *Address `json:"work,omitzero"`
	}
	m := schema.NewModel(schema.Config{})
	person, _ := m.Of(reflect.TypeFor[Person]())
	style := schema.Style{RefPrefix: "#/components/schemas/", Draft7: true}
	result := m.Output(person, style)
	text, _ := schema.Encode(result)
	fmt.Println(string(text))
	for _, d := range m.Definitions(style, result) {
		text, _ := schema.Encode(d.Schema)
		fmt.Println(d.Name, string(text))
	}
	// Output:
	// {"$ref":"#/components/schemas/Person"}
	// Address {"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}
	// Person {"type":"object","properties":{"home":{"$ref":"#/components/schemas/Address"},"work":{"$ref":"#/components/schemas/Address"}},"required":["home"]}
}
