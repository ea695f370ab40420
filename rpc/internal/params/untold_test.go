package params_test

import "github.com/facet-rpc/facet/rpc/schema"

// untold are all the refusals that a schema does not show, each with its reason.
// A name that is given twice is not among them: to JSON Schema there is no such
// text.
// Rules of validator are untold when schema.States says so.
func untold(l level, rule string) (why string) {
	t := l.typ
	for t.Kind == schema.Pointer {
		t = t.Elem
	}
	switch {
	case rule == "range" && (t.Kind == schema.Float || t.Kind == schema.Int && t.Go.Bits() == 64 || t.Kind == schema.Uint && t.Go.Bits() == 64):
		return "the range of 64 bits and of floats is only told as a format"
	case rule == "range" && l.quoted:
		return "numbers in quotes have a pattern without a range"
	case rule == "format" && (t.Kind == schema.Bytes || t.Kind == schema.Text || t.Kind == schema.Custom):
		return "contentEncoding is not asserted, and the text of other types is only described"
	case rule == "format" && t.Kind == schema.Time:
		return "the oracle takes a leap second, which package time cannot hold"
	case rule == "format" && t.Kind == schema.Duration:
		return "the pattern has no range"
	case rule == "len" && t.Kind == schema.Bytes:
		return "base64 of two lengths may be equally long"
	}
	return ""
}
