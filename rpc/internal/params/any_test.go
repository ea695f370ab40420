package params_test

import (
	"strings"
	"testing"
)

// list is n times the value as a JSON array.
func list(value string, n int) string {
	return "[" + strings.TrimSuffix(strings.Repeat(value+",", n), ",") + "]"
}

// Values of any type are bounded in number for a call as a whole: each costs
// many times what it takes to write.
func TestAnyIsBounded(t *testing.T) { // R-C14
	type p struct {
		A any            `json:"a,omitzero"`
		B any            `json:"b,omitzero"`
		C []any          `json:"c,omitzero"`
		D map[string]any `json:"d,omitzero"`
	}
	const many = " range(at most 100000 values, with all that is inside): must be at most 100000 values, with all that is inside"
	for _, c := range []struct {
		name, raw string
		want      []string
	}{
		{"a list of 99 999", `{"a":` + list(`1`, 99_999) + `}`, nil},
		{"a list of 100 000, with itself", `{"a":` + list(`1`, 100_000) + `}`, []string{"/a" + many}},
		{"objects", `{"a":` + list(`{"x":{"y":[]}}`, 33_333) + `}`, nil},
		{"more objects", `{"a":` + list(`{"x":{"y":[]}}`, 33_334) + `}`, []string{"/a" + many}},
		{"both together", `{"a":` + list(`1`, 60_000) + `,"b":` + list(`""`, 60_000) + `}`, []string{"/b" + many}},
		{"elements of a list", `{"c":` + list(`null`, 100_000) + `}`, nil},
		{"too many elements", `{"c":` + list(`null`, 100_001) + `}`, []string{"/c/100000" + many}},
		{"told once", `{"c":` + list(`[1]`, 100_001) + `,"d":{"k":[]},"a":1}`, []string{"/c/50000" + many}},
		{"other mistakes are told too", `{"a":` + list(`1`, 100_000) + `,"e":1}`, []string{"/a" + many, "/e" + unknown}},
	} {
		_, bad := decode[p](t, c.raw)
		same(t, c.name, bad, c.want...)
	}
	// What is not kept must be JSON all the same.
	if _, _, err := run(compile[p](t), `{"a":`+list(`1`, 100_000)[:200_000]+`,nul]}`); err == nil {
		t.Error("broken JSON behind the limit was taken")
	}
}

func TestAnyCostsNoMoreThanItsBound(t *testing.T) { // R-C14
	plan := compile[one[any]](t)
	for _, value := range []string{`""`, `1`, `null`, `{}`, `[]`, `{"a":1}`, `{"a":{"a":{"a":{"a":{"a":{"a":{"a":""}}}}}}}`} {
		const body = 7 << 20
		raw := []byte(`{"v":` + list(value, body/(len(value)+1)) + `}`)
		v := plan.New()
		if allocated := bytesOf(func() { _, _ = plan.Decode(raw, v, false) }); allocated > 48<<20 {
			t.Errorf("7 MiB of %s allocate %d MiB", value, allocated>>20)
		}
	}
}
