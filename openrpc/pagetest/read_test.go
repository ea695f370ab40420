package pagetest

import (
	"context"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// refusedLoad is what Chromium itself logs when the document needs a token.
const refusedLoad = "the server responded with a status of 40"

// R-O03: the page asks for a token, shows the document, and keeps the token to
// itself.
func TestLoad(t *testing.T) {
	site := openShop(t)
	b := newTab(t, 1280, 800)
	b.run(chromedp.Navigate(site + "/openrpc/ui"))
	b.until("document.querySelector('.gate h1')?.innerText === 'This document needs a token'")
	if title := eval[string](b, "document.title"); title != "Tea shop" {
		t.Errorf("title %q", title)
	}
	b.giveToken("wrong")
	b.until("document.querySelector('.gate h1')?.innerText === 'The token was refused'")
	b.giveToken(secret)
	b.until("!!document.querySelector('.overview')")
	for _, want := range []string{"Tea shop", "Catalog.search", "Place an order", "/rpc"} {
		if !strings.Contains(b.text("main"), want) {
			t.Errorf("no %q in the overview:\n%s", want, b.text("main"))
		}
	}
	if kept := eval[string](b, "JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie, location.href, document.documentElement.outerHTML])"); strings.Contains(kept, secret) {
		t.Error("the token stands somewhere")
	}
	b.run(chromedp.Reload())
	b.until("!!document.querySelector('.gate')") // forgotten
	b.quiet(site, refusedLoad)
}

// slash presses the key as a keyboard does: the character comes only when the
// page lets it. KeyEvent sends it in any case.
var slash = chromedp.ActionFunc(func(ctx context.Context) error {
	return input.DispatchKeyEvent(input.KeyDown).WithKey("/").WithText("/").Do(ctx)
})

// R-O03: search without a mouse, and addresses that lead to methods.
func TestSearch(t *testing.T) {
	site := openShop(t)
	b := newTab(t, 1280, 800)
	b.open(site, "")
	b.run(slash)
	b.until("document.activeElement.id === 'search'")
	b.run(chromedp.KeyEvent("order"))
	hits := "[...document.querySelectorAll('[role=option]')].map(e => e.querySelector('.hit-name').textContent).join(' ')"
	b.until(hits + " === 'Orders.create Orders.get Orders.list Orders.pay Orders.cancel'")
	b.run(chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowUp))
	if at := eval[string](b, "document.getElementById(document.querySelector('#search').getAttribute('aria-activedescendant')).textContent"); !strings.HasPrefix(at, "Orders.get") {
		t.Errorf("the second one is %q", at)
	}
	b.run(chromedp.KeyEvent(kb.Enter))
	b.until("location.hash === '#Orders.get' && document.querySelector('h1')?.innerText === 'Look up an order'")
	if on := eval[string](b, "document.querySelector('.nav [aria-current]').textContent + document.activeElement.tagName"); on != "Orders.getH1" {
		t.Errorf("the reader is at %q", on)
	}
	b.run(slash, chromedp.KeyEvent("quantity nothing"))
	b.until("document.querySelector('.results')?.innerText.includes('No method is like that')")
	b.run(chromedp.KeyEvent(kb.Escape))
	b.until("document.querySelector('#search').value === '' && document.querySelector('.results').hidden")
	b.run(chromedp.KeyEvent(kb.Escape))
	b.until("document.activeElement.id !== 'search'")
	b.run(chromedp.NavigateBack())
	b.until("!!document.querySelector('.overview')")
	b.quiet(site, refusedLoad)
}

// R-O03: a method with all that the document says of it.
func TestMethod(t *testing.T) {
	site := openShop(t)
	b := newTab(t, 1280, 800)
	b.open(site, "#Catalog.search")
	for _, want := range []string{
		"Search products", "Catalog.search", "read only", "cached 1 min", "until v1", "Deprecated. Use Catalog.find of version 2.",
		"Query is a part of the product's name", "required", "at most 200 characters", "≥ 1", "≤ 100", "default 10", "SearchResult", "InvalidParams", "-32602",
	} {
		if !strings.Contains(b.text(".method-main"), want) {
			t.Errorf("no %q in\n%s", want, b.text(".method-main"))
		}
	}
	b.run(chromedp.Evaluate("location.hash = '#Orders.pay'", nil))
	b.until("document.querySelector('h1')?.innerText === 'Pay an order'")
	b.click(".more", "members of MoneyInput")
	b.until("document.querySelector('.enum')?.innerText.includes('Ukrainian hryvnia')")
	if errors := b.text(".errors"); !strings.Contains(errors, "1003") || !strings.Contains(errors, "WrongAmount") {
		t.Errorf("errors:\n%s", errors)
	}
	b.click(".errors .more", "Show data")
	b.until("document.querySelector('.errors')?.innerText.includes('State the order is in') || document.querySelector('.errors').innerText.includes('details')")
	b.quiet(site, refusedLoad)
}

// R-O03: versions and groups, each at an address of its own.
func TestVersions(t *testing.T) {
	site := openShop(t)
	b := newTab(t, 1280, 800)
	b.open(site, "?d=v2#Catalog.find")
	if h := b.text("h1"); h != "Find products" {
		t.Errorf("at %q", h)
	}
	choose := func(label, value string) {
		eval[bool](b, `(s => { s.value = "`+value+`"; s.dispatchEvent(new Event("change")); return true; })([...document.querySelectorAll(".chooser")].find(e => e.innerText.startsWith("`+label+`")).querySelector("select"))`)
	}
	choose("Version", "v1")
	b.until("location.search === '' && document.querySelector('.nav')?.textContent.includes('Catalog.search')")
	b.until("document.querySelector('main')?.innerText.includes('There is no such method here')")
	choose("Group", "internal")
	b.until("location.search === '?d=internal.v1' && document.querySelector('.nav')?.textContent.includes('Catalog.restock')")
	b.run(chromedp.NavigateBack(), chromedp.NavigateBack())
	b.until("location.search === '?d=v2' && document.querySelector('h1')?.innerText === 'Find products'")
	b.quiet(site, refusedLoad)
}

// R-O03: dark as the system is, and as the reader chooses.
func TestDark(t *testing.T) {
	site := openShop(t)
	b := newTab(t, 1280, 800)
	scheme := func(value string) chromedp.Action {
		return chromedp.ActionFunc(func(ctx context.Context) error {
			return emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: value}}).Do(ctx)
		})
	}
	b.run(scheme("dark"))
	b.open(site, "")
	const light, dark = "rgb(255, 255, 255)", "rgb(12, 17, 22)"
	background := func(want string) {
		t.Helper()
		b.until("getComputedStyle(document.body).backgroundColor === '" + want + "'")
	}
	background(dark)
	b.run(scheme("light"))
	background(light)
	b.click("#theme", "as the system")
	b.click("#theme", "light")
	background(dark)
	b.run(chromedp.Reload())
	background(dark) // remembered
	b.click("#theme", "dark")
	background(light)
	if kept := eval[string](b, "JSON.stringify({...localStorage})"); kept != "{}" {
		t.Errorf("stored: %s", kept)
	}
	b.quiet(site, refusedLoad)
}

// R-O03: nothing is wider than a phone, on any method and in any form.
func TestPhone(t *testing.T) {
	site := openShop(t)
	b := newTab(t, 390, 844)
	b.run(chromedp.Navigate(site + "/openrpc/ui"))
	b.giveToken(secret)
	b.until("!!document.querySelector('.overview')")
	fits := func(where string) {
		t.Helper()
		if wide := eval[string](b, `(document.documentElement.scrollWidth > innerWidth ? "page " : "") +
			[...document.querySelectorAll("main *")].filter(e => !e.closest("pre, .code-tabs, .hidden") && e.getBoundingClientRect().right > innerWidth + 1).map(e => e.className).join(" ")`); wide != "" {
			t.Errorf("%s is too wide: %s", where, wide)
		}
	}
	fits("the overview")
	for _, name := range eval[[]string](b, "[...document.querySelectorAll('.index-name')].map(a => a.textContent)") {
		b.run(chromedp.Evaluate("location.hash = '#"+name+"'", nil))
		b.until("document.querySelector('.method-name code')?.textContent === '" + name + "'")
		eval[int](b, "[...document.querySelectorAll('.more')].map(e => e.click()).length")
		fits(name)
		b.click(".tabs button", "Try it")
		eval[int](b, "[...document.querySelectorAll('.try .add')].filter(e => !e.ariaLabel?.startsWith('Leave')).map(e => e.click()).length")
		fits("the form of " + name)
	}
	b.click(".menu-button", "Menu")
	b.until("document.querySelector('.side-host').getBoundingClientRect().left === 0")
	b.click(".nav-link", "product")
	b.until("location.hash === '#Catalog.product' && !document.body.classList.contains('menu')")
	b.quiet(site, refusedLoad)
}

// R-O03, R-O01: the document comes in the browser's language and says so; the
// page's own words stay English.
func TestLanguage(t *testing.T) {
	site := openShop(t)
	b := newTab(t, 1280, 800, chromedp.Flag("accept-lang", "uk"))
	b.open(site, "#Catalog.product")
	if lang := eval[string](b, "[document.documentElement.lang, document.querySelector('h1').lang, document.querySelector('.tabs').closest('[lang]').lang].join()"); lang != "en,uk,en" {
		t.Errorf("languages %q", lang)
	}
	if h := b.text("h1"); strings.ContainsAny(h, "abcdefghijklmnopqrstuvwxyz") {
		t.Errorf("the title is %q", h)
	}
	b.quiet(site, refusedLoad)
}
