package openrpc_test

import (
	"fmt"

	"github.com/facet-rpc/facet/openrpc"
	"github.com/facet-rpc/facet/rpc"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

type Greeter struct{}

type HelloParams struct {
	Name string `json:"name" jsonschema_description:"Whom to greet"`
}

func (Greeter) Hello(p HelloParams) string { return "Hello, " + p.Name + "!" }

// Document needs no server: write it to a file and keep that under version
// control, or give it to a generator.
func ExampleDocument() {
	registry, err := rpc.NewRegistry(rpc.App{Name: "hello", Version: "1.0.0"}, Greeter{})
	if err != nil {
		fmt.Println(err)
		return
	}
	doc, err := openrpc.Document(registry, registry.Endpoint(rpc.DefaultGroup, 1),
		openrpc.Options{ServerURL: "https://hello.example/rpc"})
	if err != nil {
		fmt.Println(err)
		return
	}
	var shown struct {
		Methods jsontext.Value `json:"methods"`
	}
	if err := json.Unmarshal(doc, &shown); err != nil {
		fmt.Println(err)
		return
	}
	if err := shown.Methods.Indent(jsontext.WithIndent("  ")); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(shown.Methods)
	// Output:
	// [
	//   {
	//     "name": "Greeter.hello",
	//     "summary": "Greeter.hello",
	//     "tags": [
	//       {
	//         "name": "Greeter"
	//       }
	//     ],
	//     "paramStructure": "either",
	//     "params": [
	//       {
	//         "name": "name",
	//         "description": "Whom to greet",
	//         "required": true,
	//         "schema": {
	//           "type": "string"
	//         }
	//       }
	//     ],
	//     "result": {
	//       "name": "result",
	//       "schema": {
	//         "type": "string"
	//       }
	//     },
	//     "errors": [
	//       {
	//         "$ref": "#/components/errors/InvalidParams"
	//       },
	//       {
	//         "$ref": "#/components/errors/Internal"
	//       }
	//     ],
	//     "x-groups": [
	//       "default"
	//     ],
	//     "x-since": 1
	//   }
	// ]
}
