package mcp

import (
	stderrors "errors"

	rpcerrors "github.com/facet-rpc/facet/errors"
)

// argumentError reports whether e says that the arguments break what the
// tool's inputSchema states. Then the answer is an error of the protocol: an
// agent could see before the call that it was wrong. A rule that the schema
// shows only as a format or as x-validate is known to the executor alone, and
// what it refuses is a result that failed.
func argumentError(e *rpcerrors.Error) bool {
	if !stderrors.Is(e, rpcerrors.InvalidParams) {
		return false
	}
	for _, v := range e.Violations() {
		if exact(v.Rule) {
			return true
		}
	}
	return false
}

// exact reports whether a schema says the same as a rule: what the decoder
// itself checks, and the validate rules for which JSON Schema has words.
func exact(rule string) bool {
	switch rule {
	case "required", "unknown", "duplicate", "null", "type", "range", "format", "count", "enum",
		"min", "max", "gte", "lte", "gt", "lt", "len", "eq", "ne", "oneof", "noneof", "unique", "port", "isdefault",
		"startswith", "endswith", "contains", "containsany", "containsrune",
		"startsnotwith", "endsnotwith", "excludes", "excludesall", "excludesrune",
		"alpha", "alphaspace", "alphanum", "alphanumspace", "numeric", "number", "hexadecimal", "hexcolor", "e164", "boolean",
		"uuid", "uuid_rfc4122", "uuid3", "uuid4", "uuid5", "uuid7", "uuid4_rfc4122", "ulid", "ascii", "printascii",
		"base64", "base64url", "md5", "sha256", "sha512", "hostname_rfc1123", "mongodb":
		return true
	}
	return false
}
