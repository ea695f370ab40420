package schema_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/facet-rpc/facet/rpc/schema"
)

// R-M08: what the schema refuses of the values that break a rule.
func TestRefuses(t *testing.T) {
	type ruled struct {
		Exact  string        `json:"exact" validate:"max=3"`
		Part   string        `json:"part" validate:"lowercase"`
		Link   string        `json:"link" validate:"http_url"`
		Format string        `json:"format" validate:"email"`
		Both   string        `json:"both" validate:"lowercase|len=3"`
		Loose  string        `json:"loose" validate:"email|len=3"`
		Wait   time.Duration `json:"wait" validate:"min=1s"`
		Number *int          `json:"number" validate:"omitempty,min=3"`
	}
	typ, faults := schema.NewModel(schema.Config{}).OfParams(reflect.TypeFor[ruled]())
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	for _, c := range []struct {
		field, text string
		want        bool
	}{
		{"exact", "abcd", true}, {"number", "1", true}, {"wait", "10ms", false}, {"format", "x", false},
		{"part", "A", true}, {"part", "É", false}, {"part", "", true},
		{"link", "ftp://x", true}, {"link", "http://", false},
		{"both", "A", true}, {"both", "É", false}, {"loose", "ab", false},
	} {
		f := typ.Fields[typ.Lookup([]byte(c.field))]
		if got := schema.Refuses(f.Type, f.Rules.List[0], c.text); got != c.want {
			t.Errorf("%s: %q refused: %v, want %v", c.field, c.text, got, c.want)
		}
	}
}
