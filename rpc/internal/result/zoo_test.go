package result_test

import (
	stdjson "encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/netip"
	"net/url"
	"time"

	"github.com/facet-rpc/facet/rpc/schema"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"
)

type (
	level   int
	name    string
	octet   uint8
	link    *level
	pages   []page[string]
	weights map[name]float32
)

type scalars struct {
	Bool    bool    `json:"bool"`
	Int     int     `json:"int"`
	Int8    int8    `json:"int8"`
	Int64   int64   `json:"int64"`
	Uint    uint    `json:"uint"`
	Uint8   uint8   `json:"uint8"`
	Uint64  uint64  `json:"uint64"`
	Float32 float32 `json:"float32"`
	Float64 float64 `json:"float64"`
	String  string  `json:"string"`
	Level   level   `json:"level"`
	Name    name    `json:"name"`
}

type known struct {
	Time     time.Time          `json:"time"`
	Duration time.Duration      `json:"duration"`
	UUID     uuid.UUID          `json:"uuid"`
	Addr     netip.Addr         `json:"addr"`
	Prefix   netip.Prefix       `json:"prefix"`
	Big      big.Int            `json:"big"`
	BigPtr   *big.Int           `json:"bigPtr"`
	Number   schema.Number      `json:"number"`
	Value    jsontext.Value     `json:"value"`
	Raw      stdjson.RawMessage `json:"raw"`
}

type page[T any] struct {
	Items []T `json:"items"`
	Next  *T  `json:"next"`
	Total int `json:"total,omitzero"`
}

type tree struct {
	Label    string           `json:"label,omitempty"`
	Left     *tree            `json:"left,omitempty"`
	Right    *tree            `json:"right"`
	Children []tree           `json:"children,omitempty"`
	ByName   map[string]*tree `json:"byName,omitempty"`
}

type mutualA struct {
	B *mutualB `json:"b"`
}

type mutualB struct {
	A []mutualA `json:"a"`
	N int       `json:"n"`
}

type Base struct {
	ID      int       `json:"id"`
	Created time.Time `json:"created,omitzero"`
}

type Audit struct {
	*Stamp
	By string `json:"by"`
}

type Stamp struct {
	At  time.Duration `json:"at"`
	Who []string      `json:"who,omitempty"`
}

type hidden struct {
	Deep string `json:"deep"`
}

type embedded struct {
	First string `json:"first"`
	Base
	*Audit
	hidden
	Named Base `json:"named"`
	Last  bool `json:"last"`
}

type maps struct {
	Strings map[string]string         `json:"strings"`
	Names   map[name]int              `json:"names"`
	Ints    map[int]string            `json:"ints"`
	Int8s   map[int8]*scalarsLite     `json:"int8s"`
	Uints   map[uint64]bool           `json:"uints"`
	Levels  map[level]scalarsLite     `json:"levels"`
	UUIDs   map[uuid.UUID]int         `json:"uuids"`
	Addrs   map[netip.Addr][]int      `json:"addrs"`
	Nested  map[string]map[int]string `json:"nested"`
	Times   map[string]time.Time      `json:"times"`
	Slices  map[string][]string       `json:"slices"`
	Any     map[string]any            `json:"any"`
}

type scalarsLite struct {
	A int    `json:"a"`
	B string `json:"b"`
}

type pointers struct {
	Int      *int            `json:"int"`
	String   **string        `json:"string"`
	Struct   *scalarsLite    `json:"struct"`
	Slice    *[]int          `json:"slice"`
	Map      *map[string]int `json:"map"`
	Time     *time.Time      `json:"time"`
	Duration *time.Duration  `json:"duration"`
	UUID     *uuid.UUID      `json:"uuid"`
	Addr     **netip.Addr    `json:"addr"`
	Any      *any            `json:"any"`
	Link     link            `json:"link"`
}

type omitEmpty struct {
	String  string             `json:"string,omitempty"`
	Name    name               `json:"name,omitempty"`
	Slice   []int              `json:"slice,omitempty"`
	Map     map[string]int     `json:"map,omitempty"`
	Bytes   []byte             `json:"bytes,omitempty"`
	None    [0]int             `json:"none,omitempty"`
	Int     *int               `json:"int,omitempty"`
	Pointer *string            `json:"pointer,omitempty"`
	PtrPtr  **string           `json:"ptrptr,omitempty"`
	Empty   *omitEmpty         `json:"empty,omitempty"`
	Any     any                `json:"any,omitempty"`
	Face    fmt.Stringer       `json:"face,omitempty"`
	Addr    netip.Addr         `json:"addr,omitempty"`
	Raw     jsontext.Value     `json:"raw,omitempty"`
	Std     stdjson.RawMessage `json:"std,omitempty"`
	Custom  custom             `json:"custom,omitempty"`
	Text    shout              `json:"text,omitempty"`
	PtrMap  *map[string]int    `json:"ptrMap,omitempty"`
	Time    *time.Time         `json:"time,omitempty"`
}

type omitZero struct {
	Bool     bool                       `json:"bool,omitzero"`
	Int      int                        `json:"int,omitzero"`
	Uint     uint8                      `json:"uint,omitzero"`
	Float    float64                    `json:"float,omitzero"`
	String   string                     `json:"string,omitzero"`
	Slice    []int                      `json:"slice,omitzero"`
	Map      map[string]int             `json:"map,omitzero"`
	Array    [2]int                     `json:"array,omitzero"`
	Bytes    [3]byte                    `json:"bytes,omitzero"`
	Struct   scalarsLite                `json:"struct,omitzero"`
	Pointer  *int                       `json:"pointer,omitzero"`
	Time     time.Time                  `json:"time,omitzero"`
	TimePtr  *time.Time                 `json:"timePtr,omitzero"`
	Duration time.Duration              `json:"duration,omitzero"`
	UUID     uuid.UUID                  `json:"uuid,omitzero"`
	Addr     netip.Addr                 `json:"addr,omitzero"`
	Any      any                        `json:"any,omitzero"`
	Value    zeroByValue                `json:"value,omitzero"`
	ByPtr    zeroByPointer              `json:"byPtr,omitzero"`
	ToPtr    *zeroByPointer             `json:"toPtr,omitzero"`
	Face     interface{ IsZero() bool } `json:"face,omitzero"`
	Both     []string                   `json:"both,omitempty,omitzero"`
	Raw      jsontext.Value             `json:"raw,omitzero"`
}

// zeroByValue is zero when even; zeroByPointer when below ten.
type zeroByValue int

func (z zeroByValue) IsZero() bool { return z%2 == 0 }

type zeroByPointer struct {
	N int `json:"n"`
}

func (z *zeroByPointer) IsZero() bool { return z.N < 10 }

type quoted struct {
	Int   int       `json:"int,string"`
	Uint  uint16    `json:"uint,string,omitzero"`
	Float float64   `json:"float,string"`
	Small float32   `json:"small,string"`
	Ptr   *int64    `json:"ptr,string"`
	Deep  **float64 `json:"deep,string,omitempty"`
	Level level     `json:"level,string"`
}

type binary struct {
	Bytes  []byte             `json:"bytes"`
	Fixed  [5]byte            `json:"fixed"`
	None   [0]byte            `json:"none"`
	Octets []octet            `json:"octets"`
	Two    [2]octet           `json:"two"`
	List   [][]byte           `json:"list"`
	Map    map[string][4]byte `json:"map"`
}

type names struct {
	Latin    int `json:"naïve"`
	Cyrillic int `json:"назва"`
	HTML     int `json:"<a&b>"`
	Space    int `json:"with space"`
	Go       int
	Line     int `json:"a b"`
	Skipped  int `json:"-"`
	//lint:ignore U1000 the encoder must pass it by
	private int
}

// shout is written by a pointer receiver, in capitals with a quote now and then.
type shout struct{ text string }

func (s *shout) MarshalText() ([]byte, error) { return []byte(s.text), nil }
func (s *shout) UnmarshalText(b []byte) error { s.text = string(b); return nil }

// whisper has AppendText and MarshalText, which differ: the first counts.
type whisper string

func (w whisper) AppendText(b []byte) ([]byte, error) { return append(b, w...), nil }
func (w whisper) MarshalText() ([]byte, error)        { return nil, errors.New("not this one") }
func (w *whisper) UnmarshalText(b []byte) error       { *w = whisper(b); return nil }

// custom is written by MarshalJSON: what it holds, or null.
type custom struct{ value any }

func (c custom) MarshalJSON() ([]byte, error) { return reference(c.value) }
func (c *custom) UnmarshalJSON([]byte) error  { return nil }

// stream is written by MarshalJSONTo of its pointer.
type stream struct{ n int }

func (s *stream) MarshalJSONTo(enc *jsontext.Encoder) error {
	if err := enc.WriteToken(jsontext.BeginArray); err != nil {
		return err
	}
	for i := range s.n % 4 {
		if err := enc.WriteToken(jsontext.Int(int64(i))); err != nil {
			return err
		}
	}
	return enc.WriteToken(jsontext.EndArray)
}
func (s *stream) UnmarshalJSONFrom(dec *jsontext.Decoder) error { return dec.SkipValue() }

type coders struct {
	Shout    shout            `json:"shout"`
	ShoutPtr *shout           `json:"shoutPtr"`
	Shouts   []shout          `json:"shouts"`
	ShoutMap map[string]shout `json:"shoutMap"`
	Whisper  whisper          `json:"whisper"`
	ByShout  map[whisper]int  `json:"byShout"`
	Custom   custom           `json:"custom"`
	Customs  []*custom        `json:"customs"`
	Stream   stream           `json:"stream"`
	Streams  map[int]stream   `json:"streams"`
	URL      *link2           `json:"url"`
}

// link2 is a type whose plain form is a struct, with MarshalText of its own.
type link2 url.URL

func (l *link2) MarshalText() ([]byte, error) { return []byte((*url.URL)(l).String()), nil }
func (l *link2) UnmarshalText([]byte) error   { return nil }

type anything struct {
	Any    any            `json:"any"`
	List   []any          `json:"list"`
	Map    map[string]any `json:"map"`
	Face   fmt.Stringer   `json:"face"`
	Error  error          `json:"error,omitzero"`
	Arrays [2]any         `json:"arrays"`
}

// faulty has what the schema refuses but json/v2 writes: it goes to json/v2
// when it is met under any.
type faulty struct {
	ID    int             `json:"id,omitempty"`
	Extra map[string]int  `json:",embed"`
	Out   outOnly         `json:"out"`
	Keys  map[float64]int `json:"keys"`
	Wait  time.Duration   `json:"wait"`
}

type outOnly struct{ n int }

func (o outOnly) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "<%d>", o.n), nil }
