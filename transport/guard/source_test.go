package guard_test

import (
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/facet-rpc/facet/transport/guard"
	"github.com/gin-gonic/gin"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

// who is calls whose handler tells the caller.
var who = edge{route: calls.route, serve: func(w http.ResponseWriter, _ *http.Request, v *guard.Visit) {
	c := v.Caller
	guard.Answer(w, http.StatusOK, []byte(c.ID+" "+strings.Join(c.Groups, ",")+" "+strings.Join(c.Scopes, ",")))
}}

func tokenFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tokens")
	replace(t, path, text)
	return path
}

// replace puts a new file in the place of another.
func replace(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path+".new", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
}

// R-S01: the format, the same in a variable and in a file.
func TestTokenSources(t *testing.T) {
	const text = "# the office\n" +
		"s-1 office groups=default,internal scopes=read,write\n" +
		"\t s-2\tshop   scopes=read \r\n\n" +
		"s=3== third groups=default\n"
	t.Setenv("FACET_TEST_TOKENS", text)
	t.Setenv("FACET_TEST_TOKEN", "s-1")
	for _, c := range []struct {
		name   string
		source guard.TokenSource
		token  string
		want   string // empty: 403
	}{
		{"variable", guard.TokensFromEnv("FACET_TEST_TOKENS"), "s-1", "office default,internal read,write"},
		{"variable", guard.TokensFromEnv("FACET_TEST_TOKENS"), "s-2", "shop  read"},
		{"variable", guard.TokensFromEnv("FACET_TEST_TOKENS"), "office", ""},
		{"variable of one", guard.TokensFromEnv("FACET_TEST_TOKEN"), "s-1", "  "},
		{"file", guard.TokensFromFile(tokenFile(t, text)), "s-1", "office default,internal read,write"},
		{"file", guard.TokensFromFile(tokenFile(t, text)), "s=3==", "third default "},
		{"file", guard.TokensFromFile(tokenFile(t, "s-1")), "#", ""},
	} {
		engine := mounted(t, guard.Policy{TokenSource: c.source}, who)
		w := serve(engine, request("POST", "/rpc", "{}", "RPC-Token: "+c.token))
		if c.want == "" {
			check(t, w, answer{403, -32403, ""})
		} else if w.Code != 200 || w.Body.String() != c.want {
			t.Errorf("%s: %d %q, want %q", c.name, w.Code, w.Body, c.want)
		}
	}
}

// R-S01, R-S02: what cannot be right is told with its line, and no secret is.
func TestTokenSourceFaults(t *testing.T) {
	t.Setenv("FACET_TEST_EMPTY", " \n# nothing\n")
	for text, want := range map[string]string{
		"":                                   "holds no token",
		"s3cret a\n\n# x\ns3cret b":          "line 4: Token.Secret was given to another token",
		"s3cret a\ns4cret":                   "line 2: Token.Caller has no ID",
		"s3cret a b":                         "line 1: field 3 is not understood",
		"s3cret groups=":                     "line 1: field 2 is not understood",
		"s3cret a role=b":                    "line 1: field 3 is not understood",
		"s3cret a groups=b groups=c":         "line 1: field 4 is not understood",
		"s3crét a":                           "line 1: Token.Secret has a space or a character",
		"s3cret a groups=elsewhere":          "which no token may enter",
		"s3cret a groups=default scopes=a,b": "",
	} {
		path := tokenFile(t, text)
		err := guard.Mount(gin.New(), executor(t), guard.Policy{TokenSource: guard.TokensFromFile(path)}, calls)
		switch {
		case want == "" && err != nil, want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%q: %v, want %q", text, err, want)
		case err != nil && strings.Contains(err.Error(), "3cr"):
			t.Errorf("a secret is told: %v", err)
		}
	}
	for _, c := range []struct {
		policy guard.Policy
		want   string
	}{
		{guard.Policy{TokenSource: guard.TokensFromEnv("FACET_TEST_EMPTY")}, "the environment variable FACET_TEST_EMPTY holds no token"},
		{guard.Policy{TokenSource: guard.TokensFromEnv("FACET_TEST_UNSET")}, "the environment variable FACET_TEST_UNSET holds no token"},
		{guard.Policy{TokenSource: guard.TokensFromFile("/nowhere/tokens")}, "open /nowhere/tokens"},
		{guard.Policy{TokenSource: guard.TokensFromFile("")}, "lets nobody in"},
		{guard.Policy{TokenSource: guard.TokensFromFile("/nowhere/tokens"), Open: true}, "the policy has TokenSource and Open"},
	} {
		if got := mountError(t, c.policy, calls); !strings.Contains(got, c.want) {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// R-S01: a changed file counts after a second at most; one that is bad leaves
// the tokens as they were, and is logged once.
func TestTokenFileChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := tokenFile(t, "first-secret a")
		core, logs := observer.New(zap.DebugLevel)
		engine := gin.New()
		err := guard.Mount(engine, executorWith(t, zap.New(core)), guard.Policy{TokenSource: guard.TokensFromFile(path)}, calls)
		if err != nil {
			t.Fatal(err)
		}
		logs.TakeAll()
		const old, read = "the tokens could not be read again; those from before stay", "the tokens were read again"
		for _, c := range []struct {
			name    string
			change  func()
			after   time.Duration
			valid   string
			invalid string
			logged  []string
		}{
			{"nothing", func() {}, time.Minute, "first-secret", "second-secret", nil},
			{"not yet", func() { replace(t, path, "second-secret a") }, 999 * time.Millisecond, "first-secret", "second-secret", nil},
			{"changed", func() {}, time.Millisecond, "second-secret", "first-secret", []string{read}},
			{"a fault", func() { replace(t, path, "third-secret a b") }, time.Second, "second-secret", "third-secret", []string{old}},
			{"the same fault", func() {}, time.Second, "second-secret", "third-secret", nil},
			{"empty", func() { replace(t, path, "") }, time.Second, "second-secret", "third-secret", []string{old}},
			{"gone", func() { _ = os.Remove(path) }, time.Second, "second-secret", "third-secret", []string{old}},
			{"still gone", func() {}, time.Second, "second-secret", "third-secret", nil},
			{"there again", func() { replace(t, path, "third-secret a\nfourth-secret b") }, time.Second, "fourth-secret", "second-secret", []string{read}},
		} {
			c.change()
			time.Sleep(c.after) // the bubble's clock
			if w := serve(engine, request("POST", "/rpc", "{}", "RPC-Token: "+c.valid)); w.Code != 200 {
				t.Errorf("%s: %d %s", c.name, w.Code, w.Body)
			}
			check(t, serve(engine, request("POST", "/rpc", "{}", "RPC-Token: "+c.invalid)), answer{403, -32403, ""})
			var logged []string
			for _, entry := range logs.TakeAll() {
				logged = append(logged, entry.Message)
				for _, f := range entry.Context {
					if f.Key != "file" && (strings.Contains(f.String, "-secret") || f.Interface != nil && strings.Contains(f.Interface.(error).Error(), "-secret")) {
						t.Errorf("%s: a secret is logged", c.name)
					}
				}
			}
			if !slices.Equal(logged, c.logged) {
				t.Errorf("%s: logged %q, want %q", c.name, logged, c.logged)
			}
		}
	})
}

// Many callers ask while the file changes.
func TestTokenFileConcurrently(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := tokenFile(t, "same-secret a")
		engine := mounted(t, guard.Policy{TokenSource: guard.TokensFromFile(path)}, calls)
		for i := range 4 {
			replace(t, path, "same-secret a\nother-secret b"+strings.Repeat("x", i))
			time.Sleep(time.Second)
			for range 8 {
				go func() {
					if w := serve(engine, request("POST", "/rpc", "{}", "RPC-Token: same-secret")); w.Code != 200 {
						t.Errorf("%d %s", w.Code, w.Body)
					}
				}()
			}
			synctest.Wait()
		}
	})
}
