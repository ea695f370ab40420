// Package async runs calls later and posts their answers.
//
// A caller that writes $rpc.callback into the parameters of any method is
// answered at once:
//
//	{"async":true,"callback":"https://shop.example/hook","jobId":"…"}
//
// The call waits in a [Queue], runs through the same executor as the same
// caller, and its JSON-RPC response is posted to the callback, signed as
// Standard Webhooks says. A receiver checks that with [Verify].
package async
