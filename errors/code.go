package errors

// The codes of JSON-RPC 2.0 section 5.1 and those that Facet adds in the
// range the specification leaves to implementations and beyond.
const (
	CodeParse          = -32700 // the body is not JSON
	CodeInvalidRequest = -32600 // the JSON is not a request
	CodeMethodNotFound = -32601 // no such method, or not for this caller
	CodeInvalidParams  = -32602 // the data has Violations
	CodeInternal       = -32603 // an undeclared error or a panic
	CodeRuntime        = -32500 // a declared failure of the method
	CodeLogic          = -32400 // the state of the application forbids the call; a held lock
	CodeTokenMissing   = -32401 // no token
	CodeForbidden      = -32403 // a token that is invalid or not allowed here
	CodeNotFound       = -32404 // the data is not there
	CodeAsync          = -32300 // the call cannot run later
	CodeReference      = -32301 // a reference between batch members fails
	CodeTimeout        = -32408 // the call took longer than it may
	CodeRateLimit      = -32429 // too many calls
	CodeUnavailable    = -32503 // a backend that the call needs is down
	CodeCustom         = -32000 // any other error of the application
)

// The ready kinds an application uses without declaring anything.
var (
	// NotFound says that what was asked for does not exist (-32404).
	NotFound = builtin(CodeNotFound, "NotFound", "Not found.")
	// Runtime says that the method failed in a way callers may know of (-32500).
	Runtime = builtin(CodeRuntime, "Runtime", "Runtime error.")
	// Logic says that the state of the application forbids the call (-32400).
	Logic = builtin(CodeLogic, "Logic", "Logic error.")
	// Custom is any other error a caller may see (-32000).
	Custom = builtin(CodeCustom, "Custom", "Application error.")
)

// The kinds the framework itself answers with. They are exported to be
// compared with: errors.Is(err, rpcerrors.Timeout).
var (
	ParseError     = builtin(CodeParse, "ParseError", "Parse error.")
	InvalidRequest = builtin(CodeInvalidRequest, "InvalidRequest", "Invalid request.")
	MethodNotFound = builtin(CodeMethodNotFound, "MethodNotFound", "Method not found.")
	InvalidParams  = builtin(CodeInvalidParams, "InvalidParams", "Invalid params.")
	Internal       = builtin(CodeInternal, "Internal", "Internal error.")
	Canceled       = builtin(CodeInternal, "Canceled", "The call was cancelled.")
	Locked         = builtin(CodeLogic, "Locked", "The method is locked.")
	// IdempotencyConflict: the key was used with other parameters.
	IdempotencyConflict = builtin(CodeLogic, "IdempotencyConflict", "The idempotency key was used with other parameters.")
	TokenMissing        = builtin(CodeTokenMissing, "TokenMissing", "A token is required.")
	Forbidden           = builtin(CodeForbidden, "Forbidden", "Not allowed.")
	Async               = builtin(CodeAsync, "Async", "The call cannot run later.")
	Reference           = builtin(CodeReference, "Reference", "A batch reference failed.")
	Timeout             = builtin(CodeTimeout, "Timeout", "The call took too long.")
	RateLimit           = builtin(CodeRateLimit, "RateLimit", "Too many calls.")
	Unavailable         = builtin(CodeUnavailable, "Unavailable", "Temporarily unavailable.")
)

// reserved reports whether code is in the range that JSON-RPC 2.0 keeps for
// itself and its implementations (section 5.1).
func reserved(code int) bool { return code >= -32768 && code <= -32000 }

// builtin declares a kind of the framework.
func builtin(code int, kind, text string) *Kind {
	builtins[kind] = true
	return &Kind{&declaration{code: code, kind: kind, text: text}}
}

// builtins names the kinds above, which Define refuses. It is complete when the
// variables of this package are made, and not written afterwards.
var builtins = map[string]bool{}
