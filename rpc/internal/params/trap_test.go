package params_test

import (
	stdjson "encoding/json"
	"math/big"
	"net/netip"
	"reflect"
	"time"

	"github.com/facet-rpc/facet/rpc/schema"
	other "github.com/facet-rpc/facet/rpc/schema/testdata/zoo"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"
	"github.com/invopop/jsonschema"
)

// The types below each hold one thing that generators of schemas get wrong.
type (
	// Config shares its name with a type of another package.
	Config struct {
		There string `json:"there" validate:"max=2"`
	}
	trapSameNames struct { // case C01: invopop/jsonschema#194, GREsau/schemars#177, Kotlin/kotlinx-schema#113
		A Config       `json:"a"`
		B other.Config `json:"b"`
	}
	trapGenerics struct {
		Page paged[other.Config]   `json:"page"`
		Deep paged[paged[*Config]] `json:"deep,omitzero"`
	}
	paged[T any] struct {
		Items []T `json:"items" validate:"max=2,dive"`
		Next  *T  `json:"next"`
	}
	trapRecursive struct { // case C03: modelcontextprotocol/go-sdk#749
		Name string                    `json:"name" validate:"min=1"`
		Kids []*trapRecursive          `json:"kids" validate:"dive"`
		Near map[string]*trapRecursive `json:"near,omitzero" validate:"dive"`
	}
	trapMutual struct {
		Other *trapMutualOther `json:"other"`
		N     int8             `json:"n" validate:"gte=-1"`
	}
	trapMutualOther struct {
		Back []trapMutual `json:"back" validate:"max=2,dive"`
		Self *trapMutual  `json:"self,omitempty"`
	}
	trapLoops struct {
		List trapLoopList `json:"list"`
		Map  trapLoopMap  `json:"map,omitzero"`
	}
	trapLoopList []trapLoopList
	trapLoopMap  map[string]trapLoopMap
	trapUnknown  struct { // case C06: modelcontextprotocol/go-sdk#894; case C10: discovery-digital/jsonschema#20
		Any  any                 `json:"any" validate:"required"`
		List []any               `json:"list"`
		Map  map[string]any      `json:"map,omitzero"`
		Raw  jsontext.Value      `json:"raw"`
		Old  stdjson.RawMessage  `json:"old,omitempty"`
		Ptr  *stdjson.RawMessage `json:"ptr"`
	}
	trapCoded struct { // types that write themselves: invopop/jsonschema reads their fields instead
		ID    uuid.UUID             `json:"id"`
		IP    *netip.Addr           `json:"ip"`
		Big   *big.Int              `json:"big"`
		Mood  mood                  `json:"mood"`
		Grade grade                 `json:"grade"`
		Exact schema.Number         `json:"exact"`
		Said  []trapDescribed       `json:"said,omitzero"`
		ByIP  map[netip.Addr]string `json:"byIP,omitzero"`
	}
	// trapDescribed has its schema on the pointer.
	trapDescribed struct{ text string }
	trapEnums     struct {
		Color color            `json:"color"`
		Size  size             `json:"size" default:"20"`
		Maybe *color           `json:"maybe"`
		Moods []mood           `json:"moods,omitzero" validate:"max=2"`
		Keys  map[color]size   `json:"keys,omitzero"`
		Not   color            `json:"not" validate:"ne=red"`
		Grade map[string]grade `json:"grade,omitzero"`
	}
	trapNullable struct { // case C07: danielgtaylor/huma#527; case C16: cyclosproject/ng-openapi-gen#385
		Number *int8           `json:"number" validate:"omitempty,min=2"`
		Object *Config         `json:"object"`
		Away   *Config         `json:"away,omitzero"`
		Must   *string         `json:"must" validate:"required,max=2"`
		List   []string        `json:"list"`
		Bytes  []byte          `json:"bytes"`
		Names  map[string]int8 `json:"names"`
		Twice  **uint8         `json:"twice"`
		Inside []*uint8        `json:"inside" validate:"dive,required,min=1"`
	}
	trapEmbedding struct {
		TrapBase
		*TrapMore
		Own Config `json:"own"`
	}
	TrapBase struct {
		ID      int16     `json:"id" validate:"ne=0"`
		Created time.Time `json:"created,omitzero"`
	}
	TrapMore struct {
		Note string   `json:"note" validate:"omitempty,len=2"`
		Tags []string `json:"tags"`
	}
	trapQuoted struct {
		Int   int64   `json:"int,string"`
		Uint  uint16  `json:"uint,string"`
		Float float64 `json:"float,string"`
		Ptr   *int32  `json:"ptr,string"`
		Rule  int     `json:"rule,string" validate:"min=1"`
		Def   uint8   `json:"def,string" default:"7"`
	}
	trapKeys struct { // case C14: mark3labs/mcp-go#920
		Ints  map[int]string      `json:"ints"`
		Uints map[uint8]int8      `json:"uints"`
		Texts map[mood]string     `json:"texts,omitzero"`
		Short map[string][]Config `json:"short" validate:"max=2,dive,keys,max=2,alpha,endkeys,max=2,dive"`
	}
	trapPresence struct { // case C12: invopop/jsonschema#161; case C15: genmcp/gen-mcp#194
		Zero  time.Time       `json:"zero,omitzero"`
		Empty []string        `json:"empty,omitempty" validate:"max=1"`
		Flag  bool            `json:"flag" default:"true"`
		List  []int8          `json:"list" default:"[1,2]" validate:"max=3,dive,gte=-2"`
		Map   map[string]int8 `json:"map" default:"{\"a\":1}"`
		Ptr   *int8           `json:"ptr" default:"9" validate:"max=9"`
		Obj   Config          `json:"obj" default:"{\"there\":\"x\"}"`
		Text  string          `json:"text,omitempty" validate:"omitempty,min=2"`
	}
	trapMeasured struct { // case C09: goreleaser/goreleaser#6801
		Wait  time.Duration        `json:"wait" validate:"min=1s"`
		Waits []time.Duration      `json:"waits,omitzero"`
		Away  *time.Duration       `json:"away"`
		At    time.Time            `json:"at"`
		Ats   map[string]time.Time `json:"ats,omitzero"`
		Hash  [4]byte              `json:"hash"`
		Three [3]int8              `json:"three"`
	}
	trapNumbers struct { // case C18: delinoio/oss#130
		I8  int8    `json:"i8"`
		I16 int16   `json:"i16"`
		I32 int32   `json:"i32" validate:"lt=128"`
		I64 int64   `json:"i64"`
		I   int     `json:"i" validate:"oneof=-1 0 2"`
		U8  uint8   `json:"u8"`
		U32 uint32  `json:"u32" validate:"min=1,max=200"`
		U64 uint64  `json:"u64"`
		F32 float32 `json:"f32" validate:"gte=-1,lte=1.5"`
		F64 float64 `json:"f64" validate:"gt=0"`
	}
	trapChoices struct {
		Choice string `json:"choice" validate:"oneof=a 'a b' я"`
		Either string `json:"either" validate:"alpha|numeric"`
	}
	trapWords struct {
		Both  string   `json:"both" validate:"startswith=a,endswith=b"`
		Not   string   `json:"not" validate:"excludes=c,excludesall=1-]"`
		Once  []string `json:"once" validate:"unique,dive,max=2"`
		Empty string   `json:"empty" validate:"omitempty,oneof=ab c"`
	}
	trapRunes struct {
		Runes string `json:"runes" validate:"min=2,max=3"`
		Same  string `json:"same" validate:"eqfield=Runes"`
	}
)

func (d trapDescribed) MarshalText() ([]byte, error)     { return []byte(d.text), nil }
func (d *trapDescribed) UnmarshalText(text []byte) error { d.text = string(text); return nil }
func (*trapDescribed) JSONSchema() *jsonschema.Schema    { return &jsonschema.Schema{Type: "string"} }

// traps are the types that schemas are tried with: each of the above, and those
// in which all of it meets.
func traps() []reflect.Type {
	return []reflect.Type{
		reflect.TypeFor[trapSameNames](), reflect.TypeFor[trapGenerics](), reflect.TypeFor[trapRecursive](), reflect.TypeFor[trapMutual](),
		reflect.TypeFor[trapLoops](), reflect.TypeFor[trapUnknown](), reflect.TypeFor[trapCoded](), reflect.TypeFor[trapEnums](),
		reflect.TypeFor[trapNullable](), reflect.TypeFor[trapEmbedding](), reflect.TypeFor[trapQuoted](), reflect.TypeFor[trapKeys](),
		reflect.TypeFor[trapPresence](), reflect.TypeFor[trapMeasured](), reflect.TypeFor[trapNumbers](), reflect.TypeFor[trapChoices](), reflect.TypeFor[trapWords](), reflect.TypeFor[trapRunes](),
		reflect.TypeFor[shelf](), reflect.TypeFor[shelfLists](), reflect.TypeFor[shelfLeaves](), reflect.TypeFor[shelfRest](),
	}
}
