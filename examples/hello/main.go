// Command hello is a whole program: one method behind three doors.
package main

import (
	"log"

	"github.com/facet-rpc/facet/transport/server"
)

// Hello greets.
type Hello struct{}

type GreetParams struct {
	Name string `json:"name" default:"world"`
}

// Greet says hello.
func (Hello) Greet(p GreetParams) string { return "Hello, " + p.Name + "!" }

func main() {
	if err := server.Hello("127.0.0.1:8080", Hello{}); err != nil {
		log.Fatal(err)
	}
}
