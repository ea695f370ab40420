package mcp_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/facet-rpc/facet/transport/mcp"
	"github.com/gin-gonic/gin"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

func registryOf(t testing.TB, services ...any) *rpc.Registry {
	t.Helper()
	r, err := rpc.NewRegistry(rpc.App{Name: "depot", Version: "1"}, services...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// one is a service of one method.
func one(name string, f any) rpc.Service {
	return rpc.Service{Name: "A", Groups: []string{"mcp"}, Methods: []rpc.Method{{Name: name, Func: f}}}
}

// R-M19: what each client refuses is told with the tool, the reason and the
// issue. Lines are "client: tool: what", faults first of all.
func TestCheck(t *testing.T) {
	nothing := func() string { return "" }
	long := strings.Repeat("x", 70)
	for _, c := range []struct {
		name    string
		service any
		edge    mcp.Edge
		faults  []string // all of them
		others  []string // some of the rest
	}{
		{"nothing to refuse", one("b", nothing), mcp.Edge{}, nil, []string{
			// case D02: evoila/meho#2745, openai/codex#8174
			`claude-desktop plain: A.b: the name has "."; it takes [a-zA-Z0-9_-]`,
			`codex plain: A.b: the name has "."; it takes [a-zA-Z0-9_-]`,
			`copilot plain: A.b: the name has "."; it takes [a-zA-Z0-9_-]`,
		}},
		{"dots by the edge", one("b", nothing), mcp.Edge{Names: mcp.AsDeclared}, []string{
			`claude claude: A.b: the name has "."; it takes [a-zA-Z0-9_-]`,
			`claude-desktop claude: A.b: the name has "."; it takes [a-zA-Z0-9_-]`,
			`cursor strict: A.b: the name has "."; it takes [a-zA-Z0-9_]`,
			`openai openai: A.b: the name has "."; it takes [a-zA-Z0-9_-]`,
			`codex openai: A.b: the name has "."; it takes [a-zA-Z0-9_-]`,
			`windsurf strict: A.b: the name has "."; it takes [a-zA-Z0-9_-]`,
			`zed strict: A.b: the name has "."; it takes [a-zA-Z0-9_-]`,
			`copilot strict: A.b: the name has "."; it takes [a-zA-Z0-9_-]`,
		}, []string{`vscode strict: A.b: the name has "."; it takes [a-zA-Z0-9_-]`}},
		{"no dots by the edge", one("b", nothing), mcp.Edge{Names: mcp.Underscored}, nil, nil},
		{"strict for all", one("b", nothing), mcp.Edge{Profile: mcp.Strict}, nil, nil},
		{"a dash", one("b-c", nothing), mcp.Edge{}, []string{`cursor strict: A_b-c: the name has "-"; it takes [a-zA-Z0-9_]`}, nil},
		{"a long name", one(long, nothing), mcp.Edge{}, nil, []string{
			"openai plain: A." + long + ": the name has 72 characters with what stands in front",
			"claude plain: A." + long + ": the name has 84 characters with what stands in front",
		}},
		{"a long name of the server", one(long, nothing), mcp.Edge{Name: strings.Repeat("s", 50)}, []string{
			"claude claude: A_" + long[:15] + "_", "cursor strict: A_" + long[:15] + "_",
		}, nil},
		{"a type that holds itself", one("b", func(TreeParams) Node { return Node{} }), mcp.Edge{}, []string{
			"zed strict: A_b: the params refer to NodeInput at ",
		}, []string{
			"gemini gemini: A.b: the params refer to NodeInput at ",
			"claude claude: A_b: the result holds Node, which holds itself",
		}},
		{"full schemas by the edge", one("b", func(FormParams) {}), mcp.Edge{Schemas: mcp.Full}, []string{
			"cursor strict: A_b: the params refer to Place at /properties/from", "cursor strict: A_b: null besides another type at /properties/note",
			"vscode strict: A_b: the params refer to Place at /properties/from", "vscode strict: A_b: null besides another type at /properties/note",
			"gemini gemini: A.b: the params refer to Place at /properties/from", "gemini gemini: A.b: null besides another type at /properties/note",
			"windsurf strict: A_b: the params refer to Place at /properties/from", "windsurf strict: A_b: null besides another type at /properties/note",
			"zed strict: A_b: the params refer to Place at /properties/from",
			"copilot strict: A_b: the params refer to Place at /properties/from", "copilot strict: A_b: null besides another type at /properties/note",
		}, nil},
		{"a digit in front", rpc.Service{Name: "1", Bare: true, Groups: []string{"mcp"}, Methods: []rpc.Method{{Name: "1b", Func: nothing}}}, mcp.Edge{}, []string{
			`cursor strict: 1b: the name begins with "1"`, `vscode strict: 1b: the name begins with "1"`, `gemini gemini: 1b: the name begins with "1"`,
			`windsurf strict: 1b: the name begins with "1"`, `copilot strict: 1b: the name begins with "1"`,
		}, nil},
		{"errors of the protocol", one("b", nothing), mcp.Edge{ArgumentErrors: mcp.AsError}, nil, []string{
			"gemini gemini: : wrong arguments are answered with an error of the protocol",
		}},
		{"many tools", many(101), mcp.Edge{}, nil, []string{"windsurf strict: : there are 101 tools"}},
	} {
		var faults, others []string
		for _, f := range mcp.Check(registryOf(t, c.service), c.edge) {
			line := fmt.Sprintf("%s %s: %s: %s", f.Client, f.Profile, f.Tool, f.What)
			if f.Fault {
				faults = append(faults, line)
			} else {
				others = append(others, line)
			}
			if f.Why == "" || f.Mend == "" || !strings.Contains(f.Issue, "#") || f.Version == 0 || (f.Method == "") != (f.Tool == "") {
				t.Errorf("%s: not all is told: %+v", c.name, f)
			}
		}
		if !slices.EqualFunc(faults, c.faults, strings.HasPrefix) {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, strings.Join(faults, "\n     "), strings.Join(c.faults, "\n     "))
		}
		for _, want := range c.others {
			if !slices.ContainsFunc(others, func(o string) bool { return strings.HasPrefix(o, want) }) {
				t.Errorf("%s: no %s among %q", c.name, want, others)
			}
		}
	}
}

// Every need of every client is told with an issue, and the profile that it
// asks for meets those needs that a profile can meet: the depot and the forms
// have one of everything but Zed's recursive type.
func TestClients(t *testing.T) {
	for _, c := range mcp.Clients() {
		if c.Name == "" || c.Title == "" || len(c.Needs) == 0 || !slices.Contains(mcp.Profiles(), c.Profile) {
			t.Errorf("%+v", c)
		}
		for _, n := range c.Needs {
			if n.Setting == "" || n.Why == "" || !strings.Contains(n.Issue, "#") {
				t.Errorf("%s: %+v", c.Name, n)
			}
		}
	}
	for _, f := range mcp.Check(registryOf(t, &Depot{}, &Forms{}), mcp.Edge{}) {
		if f.Fault && (f.Client != "zed" || f.Tool != "Depot_tree") {
			t.Error(f)
		}
	}
}

// R-M19: Mount logs once what clients will refuse although they have their
// manifest, and nothing else.
func TestMountTellsWhatIsRefused(t *testing.T) {
	for _, c := range []struct {
		edge mcp.Edge
		want int
	}{{mcp.Edge{}, 0}, {mcp.Edge{Names: mcp.AsDeclared}, 8}} {
		core, logs := observer.New(zap.WarnLevel)
		exec, err := rpc.NewExecutor(registryOf(t, one("b", func() {})), rpc.Options{Logger: zap.New(core)})
		if err != nil {
			t.Fatal(err)
		}
		policy := guard.Policy{Tokens: []guard.Token{{Secret: "s3cret", Caller: rpc.Caller{Groups: []string{"mcp"}}}}}
		if err := guard.Mount(gin.New(), exec, policy, c.edge); err != nil {
			t.Fatal(err)
		}
		entries := logs.FilterMessage("a client will not take all tools").All()
		if c.want == 0 {
			if logs.Len() > 0 {
				t.Errorf("%v", logs.All())
			}
			continue
		}
		if len(entries) != 1 {
			t.Fatalf("%d entries", len(entries))
		}
		findings := entries[0].ContextMap()["findings"].([]any)
		const first = `claude, version 1, profile claude: the tool A.b: the name has "."; it takes [a-zA-Z0-9_-]: ` +
			`every request fails with 400 until the server is taken out (microsoft/wassette#56); leave Edge.Names to the profile, or rename the method`
		if len(findings) != c.want || findings[0] != first {
			t.Errorf("%d findings, want %d\ngot  %s\nwant %s", len(findings), c.want, findings[0], first)
		}
	}
}
