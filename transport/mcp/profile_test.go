package mcp_test

import (
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/mcp"
)

// listAs is the list that a profile shows.
func (p *program) listAs(t testing.TB, profile mcp.Profile) list {
	t.Helper()
	body, headers := modern("tools/list", "")
	return listOf(t, p.postTo("/mcp?profile="+string(profile), body, headers...))
}

// callAs calls a tool as a client of the profile does.
func (p *program) callAs(profile mcp.Profile, name, arguments string) *httptest.ResponseRecorder {
	body, headers := modern("tools/call", `"name":"`+name+`","arguments":`+arguments, "Mcp-Name: "+name)
	return p.postTo("/mcp?profile="+string(profile), body, headers...)
}

// looks is how a profile shows the tool Depot.tree, and answers a wrong call.
type looks struct {
	name   string
	inline bool
	result bool // a wrong argument is a result
}

func (p *program) looks(t testing.TB, path string) looks {
	t.Helper()
	body, headers := modern("tools/list", "")
	l := listOf(t, p.postTo(path, body, headers...))
	var got looks
	for _, x := range l.Tools {
		if strings.HasSuffix(x.Name, "tree") {
			got.name = x.Name
		}
		if strings.HasSuffix(x.Name, "maybe") {
			got.inline = string(x.OutputSchema) == `{"type":"object","properties":{"result":{}},"required":["result"]}`
		}
	}
	body, headers = modern("tools/call", `"name":"`+got.name+`","arguments":{}`, "Mcp-Name: "+got.name)
	answer := p.postTo(path, body, headers...).Body.String()
	if !strings.Contains(answer, "-32602") {
		t.Errorf("%s: a wrong call answered %s", path, answer)
	}
	got.result = strings.Contains(answer, `"isError":true`)
	return got
}

// R-M19, R-M02, R-M06, R-M08: a profile bundles the options; an option that
// the edge sets counts in every profile.
func TestProfiles(t *testing.T) {
	plain, claude := looks{"Depot.tree", false, false}, looks{"Depot_tree", false, true}
	gemini, strict := looks{"Depot.tree", true, true}, looks{"Depot_tree", true, true}
	for _, c := range []struct {
		name string
		edge mcp.Edge
		want map[string]looks
	}{
		{"in the URL", mcp.Edge{}, map[string]looks{
			"": plain, "?profile=plain": plain, "?profile=claude": claude, "?profile=openai": claude, "?profile=gemini": gemini,
			"?profile=strict": strict, "?utm=1": plain, "?a=b&profile=strict": strict,
		}},
		{"of the edge", mcp.Edge{Profile: mcp.Strict}, map[string]looks{"": strict, "?profile=plain": plain, "?profile=claude": claude}},
		{"dots all the same", mcp.Edge{Names: mcp.AsDeclared}, map[string]looks{
			"": plain, "?profile=claude": {"Depot.tree", false, true}, "?profile=strict": gemini,
		}},
		{"no dots anywhere", mcp.Edge{Names: mcp.Underscored}, map[string]looks{
			"": {"Depot_tree", false, false}, "?profile=gemini": strict,
		}},
		{"schemas", mcp.Edge{Profile: mcp.Gemini, Schemas: mcp.Full}, map[string]looks{
			"": {"Depot.tree", false, true}, "?profile=strict": claude, "?profile=plain": plain,
		}},
		{"in place", mcp.Edge{Schemas: mcp.Inline}, map[string]looks{"": {"Depot.tree", true, false}, "?profile=claude": strict}},
		{"errors", mcp.Edge{ArgumentErrors: mcp.AsError}, map[string]looks{
			"": plain, "?profile=claude": {"Depot_tree", false, false},
		}},
	} {
		p := mount(t, setup{edge: c.edge})
		for range 2 { // the second time from the kept pages
			for query, want := range c.want {
				if got := p.looks(t, "/mcp"+query); got != want {
					t.Errorf("%s, /mcp%s: %+v, want %+v", c.name, query, got, want)
				}
			}
		}
	}
}

// R-M19: what is no profile is told with those that are, before anything is read.
func TestUnknownProfile(t *testing.T) {
	p := mount(t, setup{})
	for _, query := range []string{"?profile=", "?profile=Claude", "?profile=chatgpt", "?profile=claude&profile=claude", "?profile=claude;x", "?%"} {
		body, headers := modern("tools/list", "")
		w := p.postTo("/mcp"+query, body, headers...)
		if w.Code != 400 || !strings.Contains(w.Body.String(), `"code":-32600`) || strings.Contains(w.Body.String(), `"id"`) ||
			!strings.Contains(w.Body.String(), "plain, claude, openai, gemini, strict") {
			t.Errorf("%s: %d %s", query, w.Code, w.Body)
		}
	}
}

// R-M02: calls may use the name of the list and the name of the method.
func TestBothSpellings(t *testing.T) {
	p := mount(t, setup{})
	for _, profile := range mcp.Profiles() {
		for _, name := range []string{"Depot.ping", "Depot_ping"} {
			got := p.callAs(profile, name, "{}").Body.String()
			listed := slices.ContainsFunc(p.listAs(t, profile).Tools, func(x tool) bool { return x.Name == name })
			if strings.Contains(got, "pong x") != (listed || name == "Depot.ping") {
				t.Errorf("%s, %s: %s", profile, name, got)
			}
		}
	}
}

// R-M06, case D04, D05: sbroenne/mcp-server-excel#672, google-gemini/gemini-cli#13326.
// Nothing is left of what strict clients refuse but the recursive type.
func TestInlineSchemas(t *testing.T) {
	p := mount(t, setup{services: []any{&Depot{}, &Forms{}}})
	refused := regexp.MustCompile(`"type":\[|\{"type":"null"\}|"\$ref":"#/\$defs/([A-Za-z]+)"`)
	for _, profile := range []mcp.Profile{mcp.Gemini, mcp.Strict} {
		for _, x := range p.listAs(t, profile).Tools {
			for _, s := range [][]byte{x.InputSchema, x.OutputSchema} {
				for _, m := range refused.FindAllSubmatch(s, -1) {
					if !strings.HasPrefix(string(m[1]), "Node") {
						t.Errorf("%s, %s: %s in %s", profile, x.Name, m[0], s)
					}
				}
				if len(s) > 0 {
					compile(t, s)
				}
			}
		}
	}
	full := string(p.listAs(t, mcp.Plain).tool("Forms.fill").InputSchema)
	if !refused.MatchString(full) {
		t.Errorf("the full schema shows nothing that strict clients refuse: %s", full)
	}
	const want = `{"type":"object","properties":{"from":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],` +
		`"additionalProperties":false},"till":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],` +
		`"additionalProperties":false},"note":{}},"required":["from","till"],"additionalProperties":false}`
	if got := string(p.listAs(t, mcp.Strict).tool("Forms_fill").InputSchema); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Forms has params that strict clients do not take in full.
type Forms struct{}

type Place struct {
	City string `json:"city"`
}

type FormParams struct {
	From Place   `json:"from"`
	Till Place   `json:"till"`
	Note *string `json:"note"`
}

func (*Forms) Fill(FormParams) {}

func (f *Forms) RPC() rpc.Service {
	return rpc.Service{Groups: []string{"mcp"}, Methods: []rpc.Method{{Func: f.Fill}}}
}

// R-M19: names stay short enough behind what a client puts in front, and
// apart from each other; calls find the method.
func TestShortNames(t *testing.T) {
	long := strings.Repeat("veryLongName", 9)
	s := rpc.Service{Name: "A", Groups: []string{"mcp"}, Methods: []rpc.Method{
		{Name: long + "1", Func: func() string { return "one" }},
		{Name: long + "2", Func: func() string { return "two" }},
		{Name: "b_c", Func: func() string { return "three" }},
	}}
	other := rpc.Service{Name: "A_b", Groups: []string{"mcp"}, Methods: []rpc.Method{{Name: "c", Func: func() string { return "four" }}}}
	p := mount(t, setup{services: []any{s, other}})
	for profile, most := range map[mcp.Profile]int{
		mcp.Plain: 128, mcp.Claude: 64 - len("mcp__depot__"), mcp.OpenAI: 64, mcp.Gemini: 63 - len("mcp_depot_"), mcp.Strict: 60 - len("mcp__depot__"),
	} {
		seen := map[string]bool{}
		for i, x := range p.listAs(t, profile).Tools {
			if len(x.Name) > most || seen[x.Name] {
				t.Errorf("%s: %s has %d characters, of at most %d; or it is there twice", profile, x.Name, len(x.Name), most)
			}
			seen[x.Name] = true
			want := []string{"one", "two", "three", "four"}[i]
			if got := p.callAs(profile, x.Name, "{}").Body.String(); !strings.Contains(got, `"result":"`+want+`"`) {
				t.Errorf("%s: %s: %s", profile, x.Name, got)
			}
		}
		if len(seen) != 4 {
			t.Errorf("%s: %v", profile, seen)
		}
	}
}

// What is no option is a mount error.
func TestWrongOptions(t *testing.T) {
	exec := mount(t, setup{}).exec
	for want, edge := range map[string]mcp.Edge{
		`Edge.Profile is "x"; the profiles are plain, claude, openai, gemini, strict`: {Profile: "x"},
		"Edge.Names is 3":          {Names: 3},
		"Edge.Schemas is 3":        {Schemas: 3},
		"Edge.ArgumentErrors is 3": {ArgumentErrors: 3},
	} {
		if err := mountOn(exec, edge); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
