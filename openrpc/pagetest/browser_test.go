// Package pagetest looks at the page of openrpc in Chromium.
package pagetest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// patience is how long a tab may take for all of a test.
const patience = 60 * time.Second

// browsers is what Chromium is called.
var browsers = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"}

// findBrowser is the Chromium of this machine. Without one the test is
// skipped, and fails where FACET_CI says that everything must be there.
func findBrowser(t *testing.T) string {
	t.Helper()
	for _, name := range browsers {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	const missing = "there is no Chromium on this machine; install it with apt-get install chromium"
	if os.Getenv("FACET_CI") == "1" {
		t.Fatal(missing)
	}
	t.Skip(missing)
	return ""
}

// tab is a page in a browser of its own, watched: what it logs, and where it
// sends requests.
type tab struct {
	t    *testing.T
	ctx  context.Context
	mu   sync.Mutex
	logs []string
	asks []string // the URLs of all requests
}

// newTab starts a browser. Flags are options of Chromium besides the usual.
func newTab(t *testing.T, width, height int64, flags ...chromedp.ExecAllocatorOption) *tab {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(findBrowser(t)), chromedp.NoSandbox, // tests may run as root
		chromedp.Flag("lang", "en-US"), chromedp.WindowSize(int(width), int(height)))
	options = append(options, flags...)
	allocator, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	// The driver reports events that it does not know of; failures are returned.
	ctx, cancel := chromedp.NewContext(allocator, chromedp.WithErrorf(func(string, ...any) {}))
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, patience)
	t.Cleanup(cancel)
	b := &tab{t: t, ctx: ctx}
	chromedp.ListenTarget(ctx, b.hear)
	b.run(chromedp.EmulateViewport(width, height), log.Enable(), network.Enable())
	return b
}

func (b *tab) hear(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		b.logs = append(b.logs, fmt.Sprintf("console.%s: %s", e.Type, argument(e.Args)))
	case *runtime.EventExceptionThrown:
		b.logs = append(b.logs, "exception: "+e.ExceptionDetails.Error())
	case *log.EventEntryAdded:
		b.logs = append(b.logs, fmt.Sprintf("%s: %s %s", e.Entry.Source, e.Entry.Text, e.Entry.URL))
	case *network.EventRequestWillBeSent:
		b.asks = append(b.asks, e.Request.URL)
	}
}

func argument(args []*runtime.RemoteObject) string {
	var words []string
	for _, a := range args {
		words = append(words, string(a.Value)+a.Description)
	}
	return strings.Join(words, " ")
}

// quiet fails the test for anything on the console but the lines that contain
// one of the allowed texts, and for requests to another origin than at.
func (b *tab) quiet(at string, allowed ...string) {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
lines:
	for _, line := range b.logs {
		for _, a := range allowed {
			if strings.Contains(line, a) {
				continue lines
			}
		}
		b.t.Errorf("on the console: %s", line)
	}
	for _, ask := range b.asks {
		u, err := url.Parse(ask)
		if err != nil || u.Scheme != "data" && u.Scheme != "blob" && u.Scheme+"://"+u.Host != at {
			b.t.Errorf("a request to %s", ask)
		}
	}
}

// run does actions and fails the test when one cannot be done, with what the
// page shows.
func (b *tab) run(actions ...chromedp.Action) {
	b.t.Helper()
	if err := chromedp.Run(b.ctx, actions...); err != nil {
		b.mu.Lock()
		logs := strings.Join(b.logs, "\n")
		b.mu.Unlock()
		var main string
		_ = chromedp.Run(b.ctx, chromedp.Evaluate("document.querySelector('main')?.innerText ?? ''", &main)) // empty says enough
		b.t.Fatalf("%v\non the console:\n%s\non the page:\n%s", err, logs, main)
	}
}

// eval is the value of an expression in the page.
func eval[T any](b *tab, expression string) T {
	b.t.Helper()
	var out T
	b.run(chromedp.Evaluate(expression, &out, func(p *runtime.EvaluateParams) *runtime.EvaluateParams {
		return p.WithAwaitPromise(true)
	}))
	return out
}

// until waits for an expression to be true.
func (b *tab) until(expression string) {
	b.t.Helper()
	var ok bool
	b.run(chromedp.Poll(expression, &ok, chromedp.WithPollingTimeout(10*time.Second)))
}

// text is what an element shows; empty without one.
func (b *tab) text(selector string) string {
	b.t.Helper()
	return eval[string](b, fmt.Sprintf("document.querySelector(%q)?.innerText ?? ''", selector))
}

// click clicks the first element of a selector that has the words in it, in
// its text or its label.
func (b *tab) click(selector, words string) {
	b.t.Helper()
	find := fmt.Sprintf(`[...document.querySelectorAll(%q)].find(e => e.checkVisibility() && (e.innerText.includes(%[2]q) || (e.getAttribute('aria-label') ?? '').includes(%[2]q)))`, selector, words)
	b.until("!!" + find)
	eval[bool](b, find+".click() ?? true")
}

// fill types a value into a control, as a reader does.
func (b *tab) fill(selector, value string) {
	b.t.Helper()
	b.until(fmt.Sprintf("document.querySelector(%q)?.checkVisibility() ?? false", selector))
	eval[bool](b, fmt.Sprintf("(e => (e.focus(), e.select(), true))(document.querySelector(%q))", selector))
	b.run(input.InsertText(value))
}

// open shows the page of the shop with the token given, at an address such as
// #Catalog.search or ?d=v2#Catalog.find.
func (b *tab) open(site, at string) {
	b.t.Helper()
	b.run(chromedp.Navigate(site + "/openrpc/ui" + at))
	b.giveToken(secret)
	b.until("!!document.querySelector('.nav')")
}

func (b *tab) giveToken(token string) {
	b.t.Helper()
	b.fill(".token-form input[type=password]", token)
	b.click(".token-form button", "Use this token")
}
