package params_test

import "testing"

type transfer struct {
	From string  `json:"from"`
	To   address `json:"to"`
	Sum  int     `json:"sum" default:"10"`
	Note *string `json:"note"`
}

func TestByPosition(t *testing.T) { // R-C01 R-C11
	got, bad := decode[transfer](t, `["a",{"city":"c"},5,"n"]`)
	same(t, "all", bad)
	if got.From != "a" || got.To.City != "c" || got.Sum != 5 || *got.Note != "n" {
		t.Errorf("got %+v", got)
	}
	got, bad = decode[transfer](t, `["a",{"city":"c"}]`) // case A16: creachadair/jrpc2#113
	same(t, "left out", bad)
	if got.Sum != 10 || got.Note != nil {
		t.Errorf("got %+v", got)
	}
	const count = " count(2 to 4): takes 2 to 4 values by position, not "
	for _, c := range []struct {
		raw  string
		want []string
	}{
		// Violations are named, never numbered (case H01).
		{`["a",{"town":"c"},"5",null]`, []string{"/to/town" + unknown, "/to/city" + required, "/sum " + anInteger}},
		{`[null,null,null,null]`, []string{"/from " + notNull, "/to " + notNull, "/sum " + notNull}},
		{`["a"]`, []string{count + "1", "/to" + required}},
		{`[1]`, []string{"/from " + aString, count + "1", "/to" + required}},
		{`[]`, []string{count + "0", "/from" + required, "/to" + required}},
		{`["a",{"city":"c"},5,"n",6,{"x":[1]}]`, []string{count + "6"}},
		{`["a",{"city":"c"},5,"n",{"a":1,"a":2}]`, []string{count + "5"}},
		// The array is the list of the parameters, not the first of them.
		{`[{"from":"a","to":{"city":"c"}}]`, []string{"/from " + aString, count + "1", "/to" + required}},
	} {
		_, bad := decode[transfer](t, c.raw)
		same(t, c.raw, bad, c.want...)
	}
}

func TestOneParameterByPosition(t *testing.T) { // case A17: gorilla/rpc#24, paritytech/jsonrpc#675
	for _, raw := range []string{`[1]`, `{"v":1}`} {
		got, bad := decode[one[int]](t, raw)
		same(t, raw, bad)
		if got.V != 1 {
			t.Errorf("%s: got %+v", raw, got)
		}
	}
	got, bad := decode[one[address]](t, `[{"city":"c"}]`)
	same(t, "struct", bad)
	if got.V.City != "c" {
		t.Errorf("got %+v", got)
	}
	list, bad := decode[one[[]int]](t, `[[1,2]]`)
	same(t, "list", bad)
	if len(list.V) != 2 {
		t.Errorf("got %+v", list)
	}
	_, bad = decode[one[[]int]](t, `[1,2]`)
	same(t, "list", bad, "/v "+anArray, " count(1): takes 1 value by position, not 2")
}

func TestTwoRequiredByPosition(t *testing.T) { // case A15: 0xPolygon/zkevm-node#894, Azure/azure-dev#3527
	_, bad := decode[line](t, `["a",2,3]`)
	same(t, "three", bad, " count(2): takes 2 values by position, not 3")
	_, bad = decode[line](t, `["a"]`)
	same(t, "one", bad, " count(2): takes 2 values by position, not 1", "/qty"+required)
}

// An optional parameter before a required one could not be left out by
// position, and a later one could not be added: such params go by name.
func TestByNameOnly(t *testing.T) { // R-C11
	type p struct {
		Limit int    `json:"limit,omitzero"`
		Query string `json:"query"`
	}
	_, bad := decode[p](t, `{"query":"a"}`)
	same(t, "by name", bad)
	for _, raw := range []string{`[1,"a"]`, `["a"]`, `[]`} {
		_, bad := decode[p](t, raw)
		same(t, raw, bad, " "+anObject+`: "limit" is optional and stands before "query": call by name`)
	}
}
