package main

import (
	"cmp"
	"flag"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
)

var update = flag.Bool("update", false, "write the table into the page")

// walk is what a client got on its way through the tools. A field is empty when
// the client does not show it.
type walk struct {
	Refused   string `json:"refused"` // why it could not begin
	Tools     string `json:"tools"`
	Text      string `json:"text"`
	Blocks    string `json:"blocks"` // their types
	Echo      string `json:"echo"`   // of an argument that a header repeats
	Error     string `json:"error"`
	Unknown   string `json:"unknown"`   // code of a tool that is not there
	Arguments string `json:"arguments"` // code of arguments that do not fit
	Progress  string `json:"progress"`
	Lost      string `json:"lost"` // status for a session that somebody else has ended
}

// region cannot stand in a header as it is.
const region = "Київ"

// complete is a walk on which everything is as it should be.
var complete = walk{
	Tools: "test_simple_text test_image_content test_audio_content test_embedded_resource test_resource_link " +
		"test_multiple_content_types test_error_handling test_tool_with_progress test_logging_tool " +
		"json_schema_2020_12_tool test_x_mcp_header",
	Text: "This is a simple text response for testing.", Blocks: "text image resource", Echo: `"` + region + `"`,
	Error: "true Intended", Unknown: "-32602", Arguments: "-32602", Progress: "0/100 50/100 100/100", Lost: "404",
}

// A row is a client that asks for a version, or for an era as its options say.
type row struct {
	client, asks string
	version      string // that it should get
	walk         func(t *testing.T, url, token string) walk
	hides        func(w *walk) // what it does not show
	keeps        bool          // it leaves its session to the TTL
}

// seen is what is left of a complete walk with a client that does not show some
// of it.
func (r row) seen() walk {
	w := complete
	if r.version >= "2026-07-28" {
		w.Lost = "" // there are no sessions
	}
	if r.hides != nil {
		r.hides(&w)
	}
	return w
}

// failure is the kind of error in the text of a tool error.
func failure(t *testing.T, isError bool, text string) string {
	t.Helper()
	var of struct {
		Data struct {
			Exception string `json:"exception"`
		} `json:"data"`
	}
	if err := json.Unmarshal([]byte(text), &of); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return fmt.Sprint(isError, " ", of.Data.Exception)
}

// R-M18: the official clients go through everything in both eras, with a token
// and without; the page has the table of what each of them got.
func TestMatrix(t *testing.T) {
	npm, goSDK := installed(t), "Go SDK "+moduleVersion(t, "github.com/modelcontextprotocol/go-sdk")
	loss := func(w *walk) { w.Lost = "" }
	codes := func(w *walk) { w.Unknown, w.Arguments, w.Progress, w.Lost = "", "", "", "" }
	rows := []row{
		{client: goSDK, asks: "nothing", version: "2026-07-28", walk: goClient(""), hides: loss},
		{client: goSDK, asks: "2026-07-28", version: "2026-07-28", walk: goClient("2026-07-28"), hides: loss},
		{client: goSDK, asks: "2025-11-25", version: "2025-11-25", walk: goClient("2025-11-25"), hides: loss},
		{client: goSDK, asks: "2025-06-18", version: "2025-06-18", walk: goClient("2025-06-18"), hides: loss},
		{client: goSDK, asks: "2025-03-26", version: "2025-03-26", walk: goClient("2025-03-26"), hides: loss},
		{client: goSDK, asks: "2024-11-05", version: "2024-11-05", walk: goClient("2024-11-05"), hides: loss},
		{client: "TypeScript SDK " + sdk1, asks: "nothing", version: "2025-11-25", walk: npm.typescript("1", "legacy")},
		{client: "TypeScript client " + sdk2, asks: "`legacy`", version: "2025-11-25", walk: npm.typescript("2", "legacy")},
		{client: "TypeScript client " + sdk2, asks: "`auto`", version: "2026-07-28", walk: npm.typescript("2", "auto")},
		{client: "TypeScript client " + sdk2, asks: "`pin: 2026-07-28`", version: "2026-07-28", walk: npm.typescript("2", "modern")},
		{client: "Inspector " + inspector + " `--cli`", asks: "`legacy`", version: "2025-11-25", walk: npm.inspector("legacy"), hides: codes, keeps: true},
		{client: "Inspector " + inspector + " `--cli`", asks: "`auto`", version: "2026-07-28", walk: npm.inspector("auto"), hides: codes},
		{client: "Inspector " + inspector + " `--cli`", asks: "`modern`", version: "2026-07-28", walk: npm.inspector("modern"), hides: codes},
	}
	locked := serve(t, closed)
	visits := []struct {
		token, sent string
		site        *site
	}{{"not needed", "", serve(t, open)}, {"sent", secret, locked}, {"missing", "", locked}}
	table, ran := strings.Builder{}, 0
	table.WriteString("| client | asks for | token | gets | list | call | blocks | header | error | refusal | progress | session |\n" +
		"|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, r := range rows {
		for _, v := range visits {
			t.Run(r.client+" asks for "+r.asks+", token "+v.token, func(t *testing.T) {
				ran++
				got := r.walk(t, v.site.url, v.sent)
				fmt.Fprintf(&table, "| %s | %s | %s | ", r.client, r.asks, v.token)
				if v.token == "missing" {
					if !strings.Contains(got.Refused, "401") && !strings.Contains(got.Refused, "Unauthorized") {
						t.Errorf("without a token: %+v", got)
					}
					table.WriteString("401 | | | | | | | | |\n")
					return
				}
				if want := r.seen(); got != want {
					t.Errorf("got  %+v\nwant %+v", got, want)
				}
				fmt.Fprintf(&table, "%s | %s | %s |\n", r.version, got.cells(), r.left(t, v.site, v.sent))
			})
		}
	}
	if ran == len(rows)*len(visits) && !t.Failed() { // not with -run of a few
		inPage(t, "../../docs/mcp-clients.md", table.String())
	}
}

// moduleVersion is the version of a module in go.mod.
func moduleVersion(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), path+" v")
	version, _, ok := strings.Cut(rest, "\n")
	if !ok {
		t.Fatal("go.mod does not require ", path)
	}
	return version
}

// left is what became of the session that a version before 2026-07-28 has.
func (r row) left(t *testing.T, s *site, token string) string {
	t.Helper()
	version, session := s.said()
	if version != r.version {
		t.Errorf("the client spoke %q, want %s", version, r.version)
	}
	if has := session != ""; has != (r.version < "2026-07-28") {
		t.Errorf("%s with session %q", r.version, session)
	}
	if session == "" {
		return "none"
	}
	want, left := http.StatusNotFound, "ended"
	if r.keeps {
		want, left = http.StatusOK, "left to its TTL"
	}
	if status := s.after(t, token, session); status != want {
		t.Errorf("the session is answered %d, want %d", status, want)
	}
	return left
}

// cells are those of the table.
func (w walk) cells() string {
	ok := func(shown string) string {
		if shown == "" {
			return "–"
		}
		return "ok"
	}
	return strings.Join([]string{
		fmt.Sprint(len(strings.Fields(w.Tools)), " tools"), ok(w.Text), ok(w.Blocks), ok(w.Echo), ok(w.Error),
		cmp.Or(w.Arguments, "–"), cmp.Or(w.Progress, "–"),
	}, " | ")
}

// inPage holds the table of a page against table.
func inPage(t *testing.T, path, table string) {
	t.Helper()
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(page), "<!-- clients -->\n")
	old, behind, also := strings.Cut(rest, "<!-- end -->")
	switch {
	case !found || !also:
		t.Fatalf("%s has no lines <!-- clients --> and <!-- end -->", path)
	case *update:
		if err := os.WriteFile(path, []byte(before+"<!-- clients -->\n"+table+"<!-- end -->"+behind), 0o644); err != nil {
			t.Fatal(err)
		}
	case old != table:
		t.Errorf("%s is not what the clients got; run go test ./examples/mcp-everything -update\n%s", path, table)
	}
}
