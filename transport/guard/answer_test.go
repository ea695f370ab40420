package guard_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	rpcerrors "github.com/facet-rpc/facet/errors"
	"github.com/facet-rpc/facet/rpc"
	"github.com/facet-rpc/facet/transport/guard"
	"github.com/gin-gonic/gin"
)

func TestAnswer(t *testing.T) {
	w := httptest.NewRecorder()
	guard.Answer(w, http.StatusAccepted, []byte(`{"a":`), nil, []byte(`1}`))
	if w.Code != http.StatusAccepted || w.Body.String() != `{"a":1}` {
		t.Errorf("%d %s %v", w.Code, w.Body, w.Header())
	}
	if got := w.Header().Get("Cache-Control"); got != "" {
		t.Errorf("Cache-Control %q; only refusals have one by themselves", got)
	}
	w = httptest.NewRecorder()
	w.Header().Set("Content-Type", "application/json; profile=x")
	w.Header().Set("Cache-Control", "private, no-cache")
	guard.Answer(w, http.StatusOK)
	if w.Header().Get("Content-Type") != "application/json; profile=x" || w.Header().Get("Cache-Control") != "private, no-cache" {
		t.Errorf("what was set was replaced: %v", w.Header())
	}
}

// The length is always on the wire, whoever counts it; AnswerNow is on the
// wire before the handler ends.
func TestAnswerLength(t *testing.T) {
	for _, size := range []int{0, 1, 1999, 2000, 2001, 2047, 2048, 2049, 5000, 100_000} {
		for _, now := range []bool{false, true} {
			ended := make(chan struct{})
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body := []byte(strings.Repeat("1", size))
				if !now {
					guard.Answer(w, http.StatusOK, body[:size/2], body[size/2:])
					return
				}
				guard.AnswerNow(w, http.StatusOK, body)
				<-ended
			}))
			resp, err := http.Get(srv.URL)
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(resp.Body)
			if err != nil || len(got) != size || resp.ContentLength != int64(size) {
				t.Errorf("%d bytes, now %v: read %d, Content-Length %d, %v", size, now, len(got), resp.ContentLength, err)
			}
			close(ended)
			resp.Body.Close()
			srv.Close()
		}
	}
}

// case A28 (stephenberry/glaze#2699, #2700): the body is JSON whatever the text.
func TestRefuse(t *testing.T) {
	e := rpcerrors.InvalidRequest.New("a\",\"id\":9,\"x\":\"\xff<script>")
	for _, method := range []string{http.MethodPost, http.MethodHead} {
		w := httptest.NewRecorder()
		guard.Refuse(w, request(method, "/rpc", ""), http.StatusBadRequest, e)
		if method == http.MethodHead {
			if w.Body.Len() > 0 || w.Header().Get("Content-Length") == "0" {
				t.Errorf("HEAD: %s %v", w.Body, w.Header())
			}
			continue
		}
		check(t, w, answer{400, -32600, ""})
		if !strings.Contains(w.Body.String(), `"id":null,`) {
			t.Errorf("%s", w.Body)
		}
	}
}

// Headers are shared between answers; adding to one must not reach another.
func TestSharedHeaders(t *testing.T) {
	for range 2 {
		w := httptest.NewRecorder()
		guard.Answer(w, http.StatusOK)
		w.Header().Add("X-Content-Type-Options", "mine")
		if got := w.Header().Values("X-Content-Type-Options"); len(got) != 2 || got[0] != "nosniff" {
			t.Errorf("%q", got)
		}
	}
}

// texts know one language besides English.
type texts struct{ unknown string }

func (x texts) Language(accept string) string {
	if strings.Contains(accept, "uk") {
		return "uk"
	}
	return x.unknown
}

func (texts) Text(lang, group, key string) (string, bool) { return "", false }

// R-I03: Content-Language and Vary are on every answer of a program that has
// texts, refusals too.
func TestLanguage(t *testing.T) {
	tells := edge{route: calls.route, serve: func(w http.ResponseWriter, _ *http.Request, v *guard.Visit) {
		guard.Answer(w, http.StatusOK, []byte(v.Language+" "+v.Call("x", nil).Language))
	}}
	for _, c := range []struct {
		texts  rpc.Texts
		accept []string
		want   string
	}{
		{nil, []string{"uk"}, "en"},
		{texts{"en"}, nil, "en"},
		{texts{"en"}, []string{"uk-UA"}, "uk"},
		{texts{"en"}, []string{"de"}, "en"},
		{texts{"en"}, []string{"de", "uk;q=0.5"}, "uk"},
		{texts{""}, []string{strings.Repeat("x", 64<<10)}, "en"},
	} {
		engine := gin.New()
		exec := executorOf(t, rpc.App{Name: "test", Version: "1.0.0", Texts: c.texts}, nil)
		if err := guard.Mount(engine, exec, guard.Policy{Open: true}, tells); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{"/rpc", "/rpc/v9"} {
			r := request("POST", path, "{}")
			r.Header["Accept-Language"] = c.accept
			w := serve(engine, r)
			named, vary := c.want, "Accept-Language"
			if c.texts == nil {
				named, vary = "", ""
			}
			if got := w.Header().Get("Content-Language"); got != named {
				t.Errorf("%q: Content-Language %q, want %q", c.accept, got, named)
			}
			if got := w.Header().Get("Vary"); got != vary {
				t.Errorf("Vary %q, want %q", got, vary)
			}
			if path == "/rpc" && w.Body.String() != c.want+" "+c.want {
				t.Errorf("%q: the visit is in %s", c.accept, w.Body)
			}
		}
	}
}
