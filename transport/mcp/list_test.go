package mcp_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/mcp"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// tool is a tool as tools/list tells it.
type tool struct {
	Name         string         `json:"name"`
	Title        string         `json:"title"`
	Description  string         `json:"description"`
	InputSchema  jsontext.Value `json:"inputSchema"`
	OutputSchema jsontext.Value `json:"outputSchema"`
	Annotations  jsontext.Value `json:"annotations"`
}

type list struct {
	Tools      []tool  `json:"tools"`
	NextCursor *string `json:"nextCursor"`
}

func listOf(t testing.TB, w *httptest.ResponseRecorder) list {
	t.Helper()
	var answer struct {
		Result list `json:"result"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || answer.Result.Tools == nil {
		t.Fatalf("%d %s: %v", w.Code, w.Body, err)
	}
	return answer.Result
}

func (p *program) list(t testing.TB, rest string, headers ...string) list {
	t.Helper()
	body, all := modern("tools/list", rest, headers...)
	return listOf(t, p.post(body, all...))
}

func (l list) names() string {
	var out []string
	for _, t := range l.Tools {
		out = append(out, strings.TrimPrefix(t.Name, "Depot."))
	}
	return strings.Join(out, " ")
}

func (l list) tool(name string) tool {
	for _, t := range l.Tools {
		if t.Name == name {
			return t
		}
	}
	return tool{}
}

// R-M01, R-M17, mcp row 52: what the group has and the caller may see, in order.
func TestList(t *testing.T) {
	p := mount(t, setup{})
	want := "find ping tree clear maybe anything picture sell break panic mail count"
	if got := p.list(t, "").names(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	// mcp row 53
	empty := mount(t, setup{services: []any{rpc.Service{Name: "S", Groups: []string{"mcp"}, Methods: []rpc.Method{
		{Name: "a", Func: func() {}, Scopes: []string{"nobody"}},
	}}}})
	if got := empty.list(t, ""); len(got.Tools) != 0 || got.NextCursor != nil {
		t.Errorf("%+v, want no tools", got)
	}
}

func TestListDiffersByCaller(t *testing.T) { // case F07
	p := mount(t, setup{policy: guard.Policy{Tokens: []guard.Token{
		{Secret: "all-secrets", Caller: rpc.Caller{ID: "a", Groups: []string{"mcp"}, Scopes: []string{"secrets"}}},
		{Secret: "no-secrets", Caller: rpc.Caller{ID: "b", Groups: []string{"mcp"}}},
	}}})
	for range 2 { // the second time from the kept pages
		for token, want := range map[string]bool{"all-secrets": true, "no-secrets": false} {
			if got := p.list(t, "", "RPC-Token: "+token).names(); strings.Contains(got, "secret") != want {
				t.Errorf("%s sees %s", token, got)
			}
		}
	}
}

// R-M03, R-M04, R-M05, R-M07, mcp rows 54 to 57
func TestTools(t *testing.T) {
	l := mount(t, setup{}).list(t, "")
	find := l.tool("Depot.find")
	if find.Title != "Find goods" || find.Description != "Finds goods." || string(find.Annotations) != `{"readOnlyHint":true}` {
		t.Errorf("find: %+v", find)
	}
	// case D17: without texts the name stands in.
	bare := l.tool("Depot.clear")
	if bare.Title != "Depot.clear" || bare.Description != "Depot.clear" {
		t.Errorf("clear: %+v", bare)
	}
	if got := string(bare.Annotations); got != `{"readOnlyHint":false,"destructiveHint":true,"idempotentHint":true,"openWorldHint":false}` {
		t.Error(got)
	}
	for name, want := range map[string][2]string{
		"ping": {`{"type":"object","properties":{"who":{"type":"string","description":"Who is pinging","default":"x"}},"additionalProperties":false}`,
			`{"type":"object","properties":{"result":{"type":"string"}},"required":["result"]}`},
		// case D01
		"clear":    {`{"type":"object","properties":{},"additionalProperties":false}`, ``},
		"anything": {`{"type":"object","properties":{},"additionalProperties":false}`, ``},
		"picture":  {`{"type":"object","properties":{"link":{"type":"boolean"}},"additionalProperties":false}`, ``},
	} {
		got := l.tool("Depot." + name)
		if string(got.InputSchema) != want[0] || string(got.OutputSchema) != want[1] {
			t.Errorf("%s\ngot  %s %s\nwant %s %s", name, got.InputSchema, got.OutputSchema, want[0], want[1])
		}
	}
	if got := l.tool("Depot.ping").Annotations; got != nil {
		t.Errorf("annotations %s, want none", got)
	}
}

// case C04, case C03, mcp row 58: every schema is an object at its root, and
// all it refers to is inside; case D09: no $schema.
func TestSchemasStandAlone(t *testing.T) {
	for _, x := range mount(t, setup{}).list(t, "").Tools {
		for _, raw := range []jsontext.Value{x.InputSchema, x.OutputSchema} {
			if raw == nil {
				continue
			}
			if !strings.HasPrefix(string(raw), `{"type":"object",`) || strings.Contains(string(raw), `"$schema"`) {
				t.Errorf("%s: %s", x.Name, raw)
			}
			compile(t, raw)
		}
	}
}

// mcp row 60: structured content is what the outputSchema says.
func TestStructuredContentConforms(t *testing.T) {
	p := mount(t, setup{})
	for _, x := range p.list(t, "").Tools {
		if x.OutputSchema == nil {
			continue
		}
		arguments := map[string]string{"Depot.find": `{"query":"a"}`, "Depot.tree": `{"root":{"name":"a","kids":[{"name":"b"}]}}`,
			"Depot.mail": `{"to":"a@depot.example","from":1,"till":2}`}[x.Name]
		if arguments == "" {
			arguments = "{}"
		}
		var answer struct {
			Result struct {
				Structured jsontext.Value `json:"structuredContent"`
			} `json:"result"`
		}
		w := p.call(x.Name, arguments)
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || answer.Result.Structured == nil {
			t.Fatalf("%s: %s %v", x.Name, w.Body, err)
		}
		value, err := schemaValue(string(answer.Result.Structured))
		if err == nil {
			err = compile(t, x.OutputSchema).Validate(value)
		}
		if err != nil {
			t.Errorf("%s: %s: %v", x.Name, answer.Result.Structured, err)
		}
	}
}

// mcp L16: each version gets the members it knows.
func TestListByVersion(t *testing.T) {
	p := mount(t, setup{})
	for version, has := range map[string]string{
		"2024-11-05": "", "2025-03-26": "annotations", "2025-06-18": "annotations title outputSchema", "2025-11-25": "annotations title outputSchema",
	} {
		got := p.post(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, p.begin(version)...).Body.String()
		for _, member := range []string{"annotations", "title", "outputSchema", "resultType", "ttlMs", "cacheScope", "_meta"} {
			if strings.Contains(got, `"`+member+`":`) != strings.Contains(has, member) {
				t.Errorf("%s: %s", version, member)
			}
		}
	}
	body, headers := modern("tools/list", "")
	got := p.post(body, headers...).Body.String()
	if !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{`) ||
		!strings.HasSuffix(got, `],"ttlMs":300000,"cacheScope":"private"`+serverInfo+`}}`) {
		t.Error(got)
	}
}

// inLanguages answers Ukrainian to who asks for it.
type inLanguages struct{}

func (inLanguages) Language(accept string) string {
	if strings.HasPrefix(accept, "uk") {
		return "uk"
	}
	return "en"
}

func (inLanguages) Text(lang, _, key string) (string, bool) {
	text, ok := map[string]string{
		"uk Depot.ping.title": "Пінг", "uk Depot.ping.description": "Відповідає.", "uk Depot.ping.params.who": "Хто",
	}[lang+" "+key]
	return text, ok
}

// R-M03: texts in the reader's language, kept apart.
func TestListInLanguages(t *testing.T) {
	p := mount(t, setup{app: rpc.App{Name: "depot", Version: "1", Texts: inLanguages{}}})
	for range 2 {
		for accept, want := range map[string][3]string{"uk": {"Пінг", "Відповідає.", "Хто"}, "en": {"Depot.ping", "Answers.", "Who is pinging"}} {
			got := p.list(t, "", "Accept-Language: "+accept).tool("Depot.ping")
			if got.Title != want[0] || got.Description != want[1] || !strings.Contains(string(got.InputSchema), want[2]) {
				t.Errorf("%s: %+v", accept, got)
			}
		}
	}
}

// Pages are bounded, and many readers at once get the same.
func TestListConcurrently(t *testing.T) {
	var calls sync.Map
	visible := func(c *rpc.Caller, s *rpc.Spec) bool {
		n, _ := strconv.Atoi(c.ID)
		at, _ := strconv.Atoi(strings.TrimPrefix(s.Name(), "Many.m"))
		return n&(1<<at) != 0
	}
	verify := func(_ context.Context, token string) (*rpc.Caller, error) {
		return &rpc.Caller{ID: token, Groups: []string{"mcp"}}, nil
	}
	p := mount(t, setup{services: []any{many(10)}, policy: guard.Policy{Verifier: verify}, options: rpc.Options{Visible: visible}})
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for n := range 600 {
				body, headers := modern("tools/list", "", fmt.Sprintf("RPC-Token: %d", n))
				got := p.post(body, headers...).Body.String()
				if first, again := calls.LoadOrStore(n, got); again && first != got {
					t.Errorf("caller %d got two lists", n)
				}
			}
		})
	}
	all.Wait()
}

// R-M02: names that would meet are found before anything is served.
func TestCollidingNames(t *testing.T) {
	registry, err := rpc.NewRegistry(rpc.App{Name: "x", Version: "1"},
		rpc.Service{Name: "A", Groups: []string{"mcp"}, Methods: []rpc.Method{{Name: "b_c", Func: func() {}}}},
		rpc.Service{Name: "A_b", Groups: []string{"mcp"}, Since: 2, Methods: []rpc.Method{{Name: "c", Func: func() {}}}})
	if err != nil {
		t.Fatal(err)
	}
	exec, err := rpc.NewExecutor(registry, rpc.Options{})
	if err != nil {
		t.Fatal(err)
	}
	err = mountOn(exec, mcp.Edge{Names: mcp.Underscored})
	want := "mcp: A_b.c and A.b_c of group mcp, version 2, would both be the tool A_b_c; rename one, or use Names: mcp.AsDeclared"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	if err := mountOn(exec, mcp.Edge{}); err != nil {
		t.Error(err)
	}
	if err := exec.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
}
