// Package oauthtest tests package oauth against an identity server that runs
// in the test and issues real tokens, through the edges and the official MCP
// client. It is a module of its own: cd here and run go test.
package oauthtest
