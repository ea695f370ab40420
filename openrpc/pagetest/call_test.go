package pagetest

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
)

// answered waits for the answer of a call and is what the page shows of it.
func (b *tab) answered() string {
	b.t.Helper()
	b.until("!!document.querySelector('.answer')")
	return b.text(".answer")
}

// resend sends the form again.
func (b *tab) resend() string {
	b.t.Helper()
	eval[bool](b, "(document.querySelector('.answer')?.remove(), true)")
	b.click(".try button", "Send")
	return b.answered()
}

// R-O03: a call from the form, with status, time, headers and the result.
func TestCall(t *testing.T) {
	site := openShop(t)
	b := newTab(t, 1280, 900)
	b.open(site, "#Catalog.product")
	b.click(".tabs button", "Try it")
	b.fill(".try input", "TEA-01")
	b.click(".try button", "Send")
	answer := b.answered()
	for _, want := range []string{"200", " ms", " B", `"name": "Sencha"`, `"amount": 890`} {
		if !strings.Contains(answer, want) {
			t.Errorf("no %q in\n%s", want, answer)
		}
	}
	b.click(".answer .more", "Headers")
	b.until("document.querySelector('.headers')?.innerText.includes('application/json')")
	b.quiet(site, refusedLoad)
}

// R-O03, R-C05: what the server refuses is shown, and at the field it means.
func TestViolations(t *testing.T) {
	site := openShop(t)
	b := newTab(t, 1280, 900)
	b.open(site, "#Orders.create")
	refusedOrder(b)
	answer := b.answered()
	for _, want := range []string{"-32602", "InvalidParams", "/lines/0/sku must be a stock keeping unit", `"violations": [`} {
		if !strings.Contains(answer, want) {
			t.Errorf("no %q in\n%s", want, answer)
		}
	}
	if at := eval[string](b, "[...document.querySelectorAll('.item [aria-invalid]')].map(e => e.value + ': ' + document.getElementById(e.getAttribute('aria-errormessage')).innerText).join()"); !strings.HasPrefix(at, "tea: must be a stock keeping unit") {
		t.Errorf("at the fields: %q", at)
	}
	b.fill(".item input", "TEA-01")
	if left := eval[bool](b, "document.querySelector('.item input').hasAttribute('aria-invalid')"); left {
		t.Error("a field that was changed is still marked")
	}
	b.quiet(site, refusedLoad)
}

// R-O03: a token that is refused, and one given later.
func TestBadToken(t *testing.T) {
	site := openShop(t)
	b := newTab(t, 1280, 900)
	b.open(site, "#Catalog.product")
	b.click(".tabs button", "Try it")
	b.fill(".try input", "CUP-02")
	b.click("#token", "Token")
	b.until("document.querySelector('dialog').open")
	b.giveToken("stale")
	b.until("document.querySelector('.gate h1')?.innerText === 'The token was refused'")
	b.giveToken(secret)
	b.until("document.querySelector('.try input')?.value === 'CUP-02'") // what was typed is still there
	if answer := b.resend(); !strings.Contains(answer, `"sku": "CUP-02"`) {
		t.Errorf("answer: %s", answer)
	}
	b.click("#token", "Token")
	b.click("dialog button", "Forget it")
	b.until("document.querySelector('.gate h1')?.innerText === 'This document needs a token'")
	b.quiet(site, refusedLoad)
}

// R-O03: an optional parameter is left out, null or a value, and the three are
// not the same; as text they are the same again.
func TestForm(t *testing.T) {
	site := openShop(t)
	b := newTab(t, 1280, 900)
	b.open(site, "?d=v2#Catalog.find")
	b.click(".tabs button", "Try it")
	b.click(".segments button", "JSON")
	eval[bool](b, "(e => (e.value = '{}', e.dispatchEvent(new Event('input')), true))(document.querySelector('.editor'))")
	b.click(".segments button", "Form")
	sent := func(want string) {
		t.Helper()
		const body = "document.querySelector('.method-side .code').innerText.match(/-d '([^]*)'/)[1]"
		if got := eval[string](b, "JSON.stringify(JSON.parse("+body+").params ?? null)"); got != want {
			t.Errorf("params %s, want %s", got, want)
		}
	}
	sent("null")
	b.click(".add", "Add inStock")
	sent(`{"inStock":false}`)
	b.click(".mark", "null")
	sent(`{"inStock":null}`)
	b.click(".add", "Leave inStock out")
	sent("null")
	b.click(".add", "Add sort")
	sent(`{"sort":"name"}`)
	b.quiet(site, refusedLoad)
}

// A number too long for JavaScript goes out as it was typed, and comes back as
// it was sent.
func TestLongNumbers(t *testing.T) {
	site := openShop(t)
	b := newTab(t, 1280, 900)
	b.open(site, "#Orders.pay")
	b.click(".tabs button", "Try it")
	b.click(".segments button", "JSON")
	b.until("document.querySelector('.editor').checkVisibility()")
	eval[bool](b, "(document.querySelector('.editor').select(), document.querySelector('.editor').focus(), true)")
	b.run(input.InsertText(`{"id": "o000001", "amount": {"amount": 9007199254740993, "currency": "EUR"}}`))
	b.until("document.querySelector('.method-side .code')?.innerText.includes('9007199254740993')")
	b.click(".segments button", "Form")
	if got := eval[string](b, "[...document.querySelectorAll('.try .nested input')].map(e => e.value).join()"); got != "9007199254740993" {
		t.Errorf("in the form: %q", got)
	}
	if answer := b.resend(); !strings.Contains(answer, "1003") && !strings.Contains(answer, "1002") {
		t.Errorf("answer: %s", answer)
	}
	b.quiet(site, refusedLoad)
}
