package schema

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// Number is a JSON number kept as it was written, so that nothing is lost:
// it is what numbers become under any. The zero value is 0.
type Number string

// Int64 is the number as an integer; an error if it is none or too large.
func (n Number) Int64() (int64, error) { return strconv.ParseInt(n.text(), 10, 64) }

// Float64 is the nearest float; an error if it is out of range.
func (n Number) Float64() (float64, error) { return strconv.ParseFloat(n.text(), 64) }

// String is the number as it was written.
func (n Number) String() string { return n.text() }

// MarshalJSONTo writes the number as it was written.
func (n Number) MarshalJSONTo(enc *jsontext.Encoder) error {
	return enc.WriteValue(jsontext.Value(n.text()))
}

func (n Number) text() string {
	if n == "" {
		return "0"
	}
	return string(n)
}
