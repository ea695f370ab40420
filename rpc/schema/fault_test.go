package schema_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/facet-rpc/facet/rpc/schema"
	"github.com/google/uuid"
)

// Every fault, with the text that a newcomer reads.
func TestFaults(t *testing.T) {
	types := []any{
		made(field("a", "json:\"a\"")), made(field("A", "json:\"a\""), field("B", "json:\"a\"")),
		struct{ A int }{},
		struct {
			A int `json:",omitzero"`
		}{},
		struct {
			A int `json:"-,"`
		}{},
		struct {
			A int `json:"a,"`
		}{},
		struct {
			A map[string]int `json:"a,inline"`
		}{},
		struct {
			A map[string]int `json:"a,unknown"`
		}{},
		struct {
			A map[string]int `json:"a,embed"`
		}{},
		struct {
			A time.Time `json:"a,format:DateOnly"`
		}{},
		struct {
			A int `json:"a,case:ignore"`
		}{},
		struct {
			A int `json:"a,omitEmpty"`
		}{},
		struct {
			A int `json:"'a'"`
		}{},
		struct {
			base
			ID int `json:"id"`
		}{},
		struct{ float }{},
		struct{ time.Time }{},
		promoted{}, own{},
		struct {
			base `json:",omitzero"`
		}{},
		Self{},
		struct{ *base }{},
		struct {
			A int `json:"a,omitempty"`
		}{},
		struct {
			A bool `json:"a,omitempty"`
		}{},
		struct {
			A time.Time `json:"a,omitempty"`
		}{},
		struct {
			A base `json:"a,omitempty"`
		}{},
		struct {
			A [2]int `json:"a,omitempty"`
		}{},
		struct {
			A string `json:"a,string"`
		}{},
		struct {
			A color `json:"a,string"`
		}{},
		struct {
			A string `json:"a" validate:"requierd"`
		}{},
		struct {
			A string `json:"a" validate:"zzz"`
		}{},
		struct {
			A string `json:"a" validate:"sku"`
		}{},
		struct {
			A string `json:"a" validate:"min=1,"`
		}{},
		struct {
			A string `json:"a" validate:"alpha||numeric"`
		}{},
		struct {
			A []string `json:"a" validate:"keys,min=1,endkeys"`
		}{},
		struct {
			A []string `json:"a" validate:"dive,keys,min=1"`
		}{},
		struct {
			A []string `json:"a" validate:"dive,keys,min=1,endkeys"`
		}{},
		struct {
			A tagged `json:"a" validate:"structonly"`
		}{},
		struct {
			A []tagged `json:"a"`
		}{},
		struct {
			A []tagged `json:"a" validate:"min=1"`
		}{},
		struct {
			A map[string]*tagged `json:"a"`
		}{},
		struct {
			A [][]tagged `json:"a" validate:"dive"`
		}{},
		struct {
			A string `json:"a" validate:"dive"`
		}{},
		struct {
			A int `json:"a" validate:"required"`
		}{},
		struct {
			A bool `json:"a" validate:"required"`
		}{},
		struct {
			A []float64 `json:"a" validate:"dive,required"`
		}{},
		struct {
			A int `json:"a" validate:"max=ten"`
		}{},
		struct {
			A uint `json:"a" validate:"min=-1"`
		}{},
		struct {
			A string `json:"a" validate:"len=1.5"`
		}{},
		struct {
			A bool `json:"a" validate:"min=1"`
		}{},
		struct {
			A time.Duration `json:"a" validate:"min=soon"`
		}{},
		struct {
			A base `json:"a" validate:"max=1"`
		}{},
		struct {
			A schema.Number `json:"a" validate:"max=5"`
		}{},
		struct {
			A schema.Number `json:"a" default:"5x"`
			B schema.Number `json:"b" default:"\"5\""`
			C schema.Number `json:"c" default:"1e400"`
			D hasNumber     `json:"d" default:"{\"n\":5,\"w\":\"1s\"}"`
			E hasNumber     `json:"e" default:"{\"n\":\"5\"}"`
			F hasNumber     `json:"f" default:"{\"w\":5}"`
		}{},
		struct {
			A []ruledText `json:"a"`
			B []ruledJSON `json:"b"`
		}{},
		struct {
			A status  `json:"a,omitempty" default:"1"`
			B status  `json:"b" default:"3"`
			C status  `json:"c,string"`
			D *status `json:"d" default:"null"`
		}{},
		struct {
			A string     `json:"a,omitempty" default:""`
			B netip.Addr `json:"b,omitempty" default:"1.2.3.4"`
			C netip.Addr `json:"c" default:"1.2.3"`
			D bool       `json:"d" default:"yes"`
			E *uuid.UUID `json:"e" default:"123e4567-e89b-42d3-a456-426614174000"`
			F signal     `json:"f" default:"go"`
			G signal     `json:"g" default:"slow"`
		}{},
		struct {
			A string `json:"-" validate:"required"`
		}{},
		struct {
			A *int `json:"a" validate:"min=1"`
		}{},
		struct {
			A *int   `json:"a" validate:"required_if=B x,gte=2"` // case G07: go-playground/validator#907
			B string `json:"b"`
		}{},
		struct {
			A *int   `json:"a" validate:"required_if=B x,omitempty,gte=2"`
			B string `json:"b"`
			C *int   `json:"c" validate:"min=1" default:"2"`
			D *int   `json:"d" validate:"required,min=1"`
		}{},
		struct {
			A string  `json:"a" validate:"min=1,omitempty"`
			B *int    `json:"b" validate:"omitempty,required"`
			C tagged  `json:"c" validate:"omitempty"`
			D [2]int  `json:"d" validate:"omitzero,dive,min=1"`
			E *tagged `json:"e" validate:"omitempty"`
			F tagged  `json:"f" validate:"nostructlevel"`
		}{},
		struct {
			A int `json:"a" default:"ten"`
		}{},
		struct {
			A uint8 `json:"a" default:"256"`
		}{},
		struct {
			A int `json:"a" default:"null"`
		}{},
		struct {
			A []int `json:"a" default:"1,2"`
		}{},
		struct {
			A []int `json:"a" default:"[1.5]"`
		}{},
		struct {
			A base `json:"a" default:"{\"x\":1}"`
		}{},
		struct {
			A color `json:"a" default:"green"`
		}{},
		struct {
			A []color `json:"a" default:"[\"green\"]"`
		}{},
		struct {
			A time.Time `json:"a" default:"yesterday"`
		}{},
		struct {
			A time.Duration `json:"a" default:"10"`
		}{},
		struct {
			A []byte `json:"a" default:"?"`
		}{},
		struct {
			A any `json:"a" default:"text"`
		}{},
		struct {
			A string `json:"a" default:"x" validate:"required_without=B"`
			B string `json:"b"`
		}{},
		struct {
			A fmt.Stringer `json:"a"`
		}{},
		struct {
			A func() `json:"a"`
		}{},
		struct {
			A chan int `json:"a"`
		}{},
		struct {
			A complex64 `json:"a"`
		}{},
		struct {
			A map[float64]int `json:"a"`
		}{},
		struct {
			A map[either]int `json:"a"`
		}{},
		struct {
			A json.Number `json:"a"`
		}{},
		struct {
			A onlyOut `json:"a"`
		}{},
		struct {
			A onlyIn `json:"a"`
		}{},
		struct {
			A myTime `json:"a"`
		}{},
		struct {
			A string `json:"a" jsonschema:"minLength=3"`
		}{},
		struct {
			A string `json:"a" jsonschema:"required"`
		}{},
		struct {
			A string `json:"a" jsonschema:"default=x"`
		}{},
		struct {
			A int `json:"a" jsonschema:"example=x"`
		}{},
		struct {
			A notEnum `json:"a"`
		}{},
		struct {
			A twice `json:"a"`
		}{},
		struct {
			A stranger `json:"a"`
		}{},
		// Rules that look at other fields.
		struct {
			From int    `json:"from"`
			Name string `json:"name"`
			At   within `json:"at"`
			A    int    `json:"a" validate:"gtfield=Nope"`
			B    int    `json:"b" validate:"gtfield=from"`
			C    int    `json:"c" validate:"gtfield=Form"`
			D    int    `json:"d" validate:"gtfield=Name"`
			E    int64  `json:"e" validate:"nefield=From"`
			F    string `json:"f" validate:"eqfield=At.X"`
			G    string `json:"g" validate:"eqfield=At.Note"`
			H    string `json:"h" validate:"fieldcontains=From"`
			I    within `json:"i" validate:"eqfield=At"`
		}{},
		struct {
			From   int           `json:"from"`
			On     bool          `json:"on"`
			Exact  schema.Number `json:"exact"`
			Hidden string        `json:"-"`
			J      string        `json:"j" validate:"required_if=Nope x"`
			K      string        `json:"k" validate:"required_if=From x"`
			L      string        `json:"l" validate:"required_unless=On yes"`
			M      string        `json:"m" validate:"required_if=From"`
			N      string        `json:"n" validate:"required_with=From Nope"`
			O      schema.Number `json:"o" validate:"gtfield=Exact"`
			P      string        `json:"p" validate:"eqfield=Hidden"`
			Q      []within      `json:"q" validate:"unique=Sku"`
			R      string        `json:"r" validate:"unique=L"`
			S      []int         `json:"s" validate:"unique=X"`
		}{},
		// Rules that no value of the type can keep.
		struct {
			A int        `json:"a" validate:"email"`
			B float64    `json:"b" validate:"oneof=1 2"`
			C string     `json:"c" validate:"port"`
			D netip.Addr `json:"d" validate:"ip"`
			E []string   `json:"e" validate:"alpha"`
			F bool       `json:"f" validate:"numeric"`
			G uuid.UUID  `json:"g" validate:"uuid4"`
			H int        `json:"h" validate:"luhn_checksum|alpha"`
		}{},
		struct {
			RPC  string   `json:"$rpc"`
			URIs []string // the suggestion
			IDs  []int
			URIsOf,
			DNSServer int
		}{},
		struct {
			A http.Request `json:"a"`
			B inner        `json:"b"`
		}{},
		http.Request{},
		many{},
		struct {
			A int
			B func() `json:"b"`
			C bool   `json:"c" validate:"required,nope"`
		}{}, // all at once
	}
	var b strings.Builder
	for _, v := range types {
		rt := reflect.TypeOf(v)
		_, faults := newModel().OfParams(rt)
		fmt.Fprintf(&b, "%s\n", rt)
		for _, f := range faults {
			place := f.Field
			if place == "" {
				place = f.Type.String()
			}
			fmt.Fprintf(&b, "\t%s: %s; %s\n", place, f.Problem, f.Mend)
		}
	}
	golden(t, "faults.golden", b.String())
}

type (
	within struct {
		Note int    `json:"note"`
		SKU  string `json:"sku"`
	}
	inner struct {
		RPC string `json:"$rpc"` // not the root: it is a name like any other
	}
	many struct{ A, B, C, D, E, F, G, H, I, J, K, L int }
)

// Rules are never run on results, so they are no fault there: a list of
// params is often a result too.
func TestResultsMayHaveAnyRules(t *testing.T) {
	type out struct {
		List []tagged `json:"list"`
		N    int      `json:"n" validate:"required,emial,gtfield=Nope"`
		P    *int     `json:"p" validate:"min=1"`
		RPC  string   `json:"$rpc"`
	}
	m := newModel()
	if _, faults := m.Of(reflect.TypeFor[out]()); len(faults) > 0 {
		t.Errorf("as a result: %v", faults)
	}
	if _, faults := m.OfParams(reflect.TypeFor[out]()); len(faults) != 6 {
		t.Errorf("as params: %d faults, %v", len(faults), faults)
	}
	if _, faults := m.Of(reflect.TypeFor[out]()); len(faults) > 0 {
		t.Errorf("as a result, after it was params: %v", faults)
	}
}
