package rpc_test

import (
	"testing"
	"testing/fstest"

	"github.com/facet-rpc/facet/rpc"
)

type (
	weekday int
	grain   string
)

type grainParams struct {
	Day   weekday `json:"day"`
	Grain grain   `json:"grain"`
}

type mill struct{}

func (mill) Grind(grainParams) {}

const millSource = `package rpc_test

type mill struct{}

const (
	Mon weekday = 1 << iota // monday
	Tue                     // tuesday
	Wed                     // wednesday
	Neg = weekday(-1)       // before all
	Sum weekday = (iota+1)*10 - 0x2 // computed
	Far weekday = 1 << 70   // too far
	Odd weekday = 7 / 2     // not known
	Text weekday = "a" + 1  // no Go
)

const (
	Rye   = grain("rye") // dark
	Wheat grain = "wh" + ` + "`eat`" + ` // light
	Other grain = Rye + "2"
)
`

// The comment of a constant is found by its value, however it is written.
func TestConstants(t *testing.T) {
	a := app
	a.Sources = []rpc.Source{rpc.SourceOf[mill](fstest.MapFS{"mill.go": {Data: []byte(millSource)}})}
	a.Enums = []rpc.Enum{rpc.EnumOf[weekday](1, 2, 4, -1, 48, 3), rpc.EnumOf[grain]("rye", "wheat", "rye2")}
	r, err := rpc.NewRegistry(a, mill{})
	if err != nil {
		t.Fatal(err)
	}
	fields := r.Endpoint(rpc.DefaultGroup, 1).Lookup("mill.grind").Params.Fields
	for i, want := range [][]string{
		{"monday", "tuesday", "wednesday", "before all", "computed", ""},
		{"dark", "light", ""},
	} {
		for k, text := range want {
			if got := fields[i].Type.Enum[k]; got.Doc != text {
				t.Errorf("%s is said to be %q, want %q", got.JSON, got.Doc, text)
			}
		}
	}
	a.Enums = nil
	if _, err := rpc.NewRegistry(a, mill{}); err == nil {
		t.Error("types with constants were taken for open ones")
	}
}
