package schema_test

import (
	"encoding/json"
	"math/big"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/facet-rpc/facet/rpc/schema"
	"github.com/facet-rpc/facet/rpc/schema/testdata/zoo"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"
	"github.com/invopop/jsonschema"
)

type (
	// Config shares its name with zoo.Config.
	Config struct {
		Here string `json:"here"`
	}
	configs struct {
		A Config     `json:"a"`
		B zoo.Config `json:"b"`
	}
	left struct {
		Right *right `json:"right"`
	}
	right struct {
		Left []left `json:"left"`
	}
	tree  []tree
	graph map[string]graph

	money struct{ Cents int64 }
	// byPointer has its schema on the pointer.
	byPointer struct{ N int }

	pointer struct {
		base
		*Embedded
	}
	Embedded struct {
		Deep string `json:"deep"`
	}
	leaves struct {
		Bool     bool            `json:"bool"`
		Int      int             `json:"int"`
		Int8     int8            `json:"int8"`
		Uint     uint            `json:"uint"`
		Uint16   uint16          `json:"uint16"`
		Float    float64         `json:"float"`
		String   string          `json:"string"`
		Bytes    []byte          `json:"bytes"`
		Hash     [4]byte         `json:"hash"`
		Time     time.Time       `json:"time"`
		Wait     time.Duration   `json:"wait"`
		UUID     uuid.UUID       `json:"uuid"`
		Addr     netip.Addr      `json:"addr"`
		Level    level           `json:"level"`
		Exact    schema.Number   `json:"exact"`
		Any      any             `json:"any"`
		Raw      jsontext.Value  `json:"raw"`
		OldRaw   json.RawMessage `json:"oldRaw"`
		Big      *big.Int        `json:"big"`
		Either   either          `json:"either"`
		Quoted   int64           `json:"quoted,string"`
		QuotedP  *uint           `json:"quotedP,string"`
		QuotedF  float64         `json:"quotedF,string"`
		RawP     *jsontext.Value `json:"rawP"`
		AnyList  []any           `json:"anyList"`
		AnyMap   map[string]any  `json:"anyMap"`
		Triple   [3]int          `json:"triple"`
		Color    color           `json:"color"`
		Optional *color          `json:"optional"`
	}
	keys struct {
		Int   map[int]string        `json:"int"`
		Uint  map[uint8]string      `json:"uint"`
		Text  map[netip.Addr]string `json:"text"`
		Color map[color]int         `json:"color"`
		Deep  map[string][]limited  `json:"deep" validate:"dive,keys,alpha,endkeys,min=1,dive"`
	}
	enums struct {
		Status  status            `json:"status"`
		Default status            `json:"default" default:"2"`
		Keys    map[status]string `json:"keys"`
		Signal  *signal           `json:"signal"`
		List    []signal          `json:"list" validate:"unique" default:"[\"go\"]"`
		Maybe   status            `json:"maybe,omitzero" validate:"omitempty,gt=1"`
	}
	limited struct {
		N int `json:"n" validate:"min=1,max=9"`
	}
	presence struct {
		Plain     string    `json:"plain"`
		OmitZero  time.Time `json:"omitZero,omitzero"`
		OmitEmpty []string  `json:"omitEmpty,omitempty"`
		Default   int       `json:"default" default:"5"`
		Pointer   *node     `json:"pointer"`
		Left      *node     `json:"left,omitzero"`
		Needed    *int      `json:"needed" validate:"required"`
		DefaultP  *string   `json:"defaultP" default:"x"`
		List      []*int    `json:"list"`
	}
	told struct {
		Title string `json:"title" jsonschema:"title=The title,example=a\\, b,example=c"`
		Said  string `json:"said" jsonschema_description:"What is said"`
		Old   node   `json:"old" jsonschema:"deprecated=Use said."`
		Older int    `json:"older" jsonschema:"deprecated,description=Not used"`
		Inner node   `json:"inner" jsonschema:"description=The inner node"`
		Doc   string `json:"doc"`
	}
	rules struct {
		Required string        `json:"required" validate:"required"`
		Name     string        `json:"name" validate:"min=2,max=9,alpha"`
		Two      string        `json:"two" validate:"startswith=a,endswith=z"`
		Choice   string        `json:"choice" validate:"oneof=a 'b c' d"`
		Number   int           `json:"number" validate:"oneof=1 2 03"`
		Maybe    string        `json:"maybe" validate:"omitempty,min=3"`
		MaybeMax string        `json:"maybeMax" validate:"omitempty,max=3"`
		MaybeInt *int          `json:"maybeInt" validate:"omitempty,min=3"`
		Either   string        `json:"either" validate:"alpha|numeric"`
		Mail     string        `json:"mail" validate:"email"`
		Card     string        `json:"card" validate:"omitempty,credit_card,eqfield=Name,ne=a0x2Cb"`
		Unique   []string      `json:"unique" validate:"required,unique,min=1,dive,min=1"`
		Wait     time.Duration `json:"wait" validate:"min=1s"`
		Color    color         `json:"color" validate:"required"`
		Not      color         `json:"not" validate:"ne=red"`
		Bits     int8          `json:"bits" validate:"gt=0"`
		Flag     bool          `json:"flag" validate:"eq=true"`
		Any      any           `json:"any" validate:"required"`
		Inner    limited       `json:"inner" validate:"required"`
		Custom   string        `json:"custom" validate:"sku"`
		Quoted   int           `json:"quoted,string" validate:"min=1"`
		IP       string        `json:"ip" validate:"ip"`
		NotA     string        `json:"notA" validate:"excludes=a,excludesall=b-]"`
	}
)

func (m money) MarshalText() ([]byte, error)  { return []byte("1.00"), nil }
func (m *money) UnmarshalText(b []byte) error { return nil }
func (money) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Pattern: `^\d+\.\d\d$`}
}
func (b byPointer) MarshalJSON() ([]byte, error)    { return []byte(`"x"`), nil }
func (b *byPointer) UnmarshalJSON(raw []byte) error { return nil }
func (*byPointer) JSONSchema() *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", ID: "x", Version: "y"}
}

// zooTypes has a type for every trap of describing Go types.
func zooTypes() []reflect.Type {
	return []reflect.Type{
		reflect.TypeFor[leaves](),
		reflect.TypeFor[configs](),          // case C01: invopop/jsonschema#194, GREsau/schemars#177
		reflect.TypeFor[page[zoo.Config]](), // a generic name is no JSON pointer
		reflect.TypeFor[page[map[string][]int]](),
		reflect.TypeFor[node](), // case C03: modelcontextprotocol/go-sdk#749
		reflect.TypeFor[left](),
		reflect.TypeFor[tree](),
		reflect.TypeFor[graph](),
		reflect.TypeFor[struct {
			A struct {
				B int `json:"b"`
			} `json:"a"`
		}](),
		reflect.TypeFor[pointer](), // members of an embedded pointer may be absent
		reflect.TypeFor[enums](),
		reflect.TypeFor[keys](),     // case C14: mark3labs/mcp-go#920
		reflect.TypeFor[presence](), // case C12: invopop/jsonschema#161; case C16
		reflect.TypeFor[struct {
			A money      `json:"a"`
			B byPointer  `json:"b"`
			C *byPointer `json:"c"`
		}](),
		reflect.TypeFor[told](),
		reflect.TypeFor[rules](),
	}
}

func render(t *testing.T, s *jsonschema.Schema) string {
	t.Helper()
	out, err := schema.Encode(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func zooModel(t *testing.T) *schema.Model {
	m := newModel()
	for _, rt := range zooTypes() {
		if _, faults := m.Of(rt); faults != nil {
			t.Fatalf("%s: %v", rt, faults)
		}
		if _, faults := m.OfParams(rt); faults != nil {
			t.Fatalf("%s: %v", rt, faults)
		}
	}
	return m
}

func TestSchemas(t *testing.T) {
	m := zooModel(t)
	styles := []struct {
		file  string
		style schema.Style
	}{
		{"schemas.golden", schema.Style{}},
		{"inline.golden", schema.Style{Inline: true}},
		{"openrpc.golden", schema.Style{RefPrefix: "#/components/schemas/", Draft7: true}},
	}
	for _, tt := range styles {
		var b strings.Builder
		for _, rt := range zooTypes() {
			typ, _ := m.Of(rt)
			in, out := m.Input(typ, tt.style), m.Output(typ, tt.style)
			b.WriteString(rt.String() + "\n\tin  " + render(t, in) + "\n\tout " + render(t, out) + "\n")
			for _, d := range m.Definitions(tt.style, in, out) {
				b.WriteString("\t" + d.Name + " = " + render(t, d.Schema) + "\n")
			}
		}
		golden(t, tt.file, b.String())
	}
}
