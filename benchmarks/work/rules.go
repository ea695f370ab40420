package work

import "github.com/go-playground/validator/v10"

// Rules checks validate tags for the servers that do not do so themselves.
type Rules struct{ v *validator.Validate }

// NewRules makes the one instance of a server: it caches what it learns of a
// type.
func NewRules() Rules {
	return Rules{validator.New(validator.WithRequiredStructEnabled())}
}

// Check checks the struct that p points to.
func (r Rules) Check(p any) error { return r.v.Struct(p) }
