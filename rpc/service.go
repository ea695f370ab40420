package rpc

import (
	"time"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/go-playground/validator/v10"
)

// App describes the application as a whole.
type App struct {
	// Name is a short name such as shop: letters, digits, dots, dashes and
	// underscores. Required.
	Name string
	// Title is the name people read; the Name without one.
	Title string
	// Version is the application's own version, such as 1.4.0. Required.
	Version string
	// Description says in a sentence or two what the application offers.
	Description string
	// Website is the URL of a page for people, https or http.
	Website string

	// Texts translates titles, descriptions and errors; nil: English as declared.
	Texts Texts
	// Sources are the doc comments of services and their types; see [SourceOf].
	Sources []Source
	// Enums lists the types with a closed set of values; see [EnumOf].
	Enums []Enum
	// Rules are the application's own validate rules.
	Rules []Rule
}

// Rule is a validate rule of the application: the tag `validate:"sku"` with
// Name sku.
type Rule struct {
	Name string
	// Func reports whether the field is right. It is tried at registration and
	// must not panic on a zero value.
	Func validator.Func
	// Message says to people what is expected: "must be a stock keeping unit".
	Message string
}

// Service says how a value's methods are published. A value returns it from
// RPC(); free and generic functions are registered with a Service of their own.
type Service struct {
	// Name is the first part of the method names; the type's name without one.
	Name string
	// Bare publishes the methods without a first part: add, not Math.add.
	Bare bool
	// Since is the version in which the service's methods begin; 0 means 1.
	Since int
	// Until is the last version that has them; 0: for ever.
	Until int
	// Groups say where the methods are published; nil: [DefaultGroup].
	Groups []string
	// Tags sort the methods in documents; nil: the service's name.
	Tags []string
	// Description documents the service; its doc comment without one.
	Description string
	// Docs is the URL of a page that explains the service to people.
	Docs string
	// Methods is the allow-list of what is published. For a value it may be
	// nil: every exported method is published as it stands.
	Methods []Method
}

// DefaultGroup is the group of methods that name none and of callers that
// name none. AnyGroup, in a caller's groups, means all of them.
const (
	DefaultGroup = "default"
	AnyGroup     = "*"
)

// Method says how one method is published. Only Func is required.
type Method struct {
	// Func is a method value such as c.Search, or a function, of the form
	// func([ctx][, P]) ([R][, error]) with P a struct or a pointer to one.
	Func any
	// Name replaces the name made of the Go name (GetURL: getURL). Closures
	// and generic functions must have one.
	Name string
	// Title is a short name for people, Description says what the method does;
	// the doc comment without one.
	Title, Description string
	// Groups, Since, Until and Tags replace those of the service.
	Groups []string
	Since  int
	Until  int
	Tags   []string
	// Deprecated says what to use instead; documents mark the method.
	Deprecated string
	// Docs is the URL of a page that explains the method to people.
	Docs string
	// Examples are whole calls, for documents and tests.
	Examples []Example
	// Hints tell agents what a call does to the world.
	Hints Hints
	// Errors documents the declared errors the method returns.
	Errors []rpcerrors.Declared
	// Timeout ends the context of a call; 0: none.
	Timeout time.Duration
	// Cache keeps results.
	Cache Cache
	// Idempotency answers a repeated call with the first answer.
	Idempotency Idempotency
	// Lock makes calls exclude each other.
	Lock Lock
	// Invalidates names methods whose cached results end, all of them, when
	// this one succeeds.
	Invalidates []string
	// InvalidatesExact ends the results of exact params when this one succeeds.
	InvalidatesExact []Invalidation
	// Scopes are what a caller's token must grant, all of them; without them
	// the method does not exist for that caller.
	Scopes []string
}

// Hint is yes, no, or unset.
type Hint uint8

// The values of a Hint.
const (
	Unset Hint = iota
	Yes
	No
)

// Hints tell agents what a call does to the world. They are documentation
// for the caller; contradictions with Lock, Cache and Invalidates are found
// at registration.
type Hints struct {
	ReadOnly    Hint // changes nothing
	Destructive Hint // may destroy or overwrite
	Idempotent  Hint // a second call with the same parameters changes nothing more
	OpenWorld   Hint // reaches beyond this application
}

// Cache keeps the results of a method. The key is group, version, method,
// effective language, caller and parameters; the fields loosen that.
type Cache struct {
	// TTL is how long a result is served; 0: not cached.
	TTL time.Duration
	// Shared: all callers get the same results. The method then sees an
	// anonymous caller in its context.
	Shared bool
	// LanguageFree: the results do not depend on the language.
	LanguageFree bool
	// By adds to the key, such as a tenant; nil: nothing.
	By func(*Caller) string
	// Env lists the environments in which results are kept; nil: all.
	Env []Env
	// StaleFor is how long after the TTL a result is still served, at once,
	// while one call computes the next; 0: not at all.
	StaleFor time.Duration
}

// Idempotency keeps the answer to a call that has a key, given by the header
// Idempotency-Key or by $rpc.idempotencyKey, so that a client that heard
// nothing can repeat the call and the method runs once. The key counts for one
// caller and one method; an anonymous caller shares it with all others, so it
// should be random, such as a UUID.
//
// The same key with other params is refused with the kind
// IdempotencyConflict. A repeated call waits for the first one. Kept are the
// result and the declared errors that the method returned; after any other
// failure (an internal error, a panic, a timeout, a lock that was held) the
// key is free again, and a repeated call runs the method. A program that dies
// while the method runs frees the key within 30 seconds: the method may then
// have done its work, and does it again.
type Idempotency struct {
	// TTL is how long the answer is kept; 0: keys are refused.
	TTL time.Duration
}

// Invalidation ends the cached results of one method for exact params.
type Invalidation struct {
	// Method is the full name, such as Catalog.product.
	Method string
	// Params says what the parameters of Method are: the name of each, and
	// the parameter of this call its value is taken from, by name or as a JSON
	// pointer (RFC 6901): {"sku": "/item/sku"}. Optional ones may be left out.
	Params map[string]string
	// Warm computes the result again at once, in the background, as the caller
	// of this call would ask for it.
	Warm bool
}

// Lock makes calls of a method exclude each other.
type Lock struct {
	// Name is what is locked; the method's own name without one. Methods with
	// the same Name exclude each other.
	Name string
	// On is a parameter whose value is part of the key, or a JSON pointer
	// (RFC 6901) to one: "sku", "/order/id". Empty and no Name: no lock;
	// use Name alone to let one call run at a time.
	On string
	// Wait is how long a call waits for the lock; 0: it fails at once.
	Wait time.Duration
	// Hold is how long the lock is kept at most; 0: 30 seconds.
	Hold time.Duration
}

// Env is the environment a program runs in.
type Env string

// The environments. Outside Prod, errors show their causes.
const (
	Prod Env = "prod"
	Dev  Env = "dev"
	Test Env = "test"
)
