package pagetest

import (
	"context"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// faint lists texts whose contrast with what is behind them is below 4.5, or 3
// for large ones (WCAG 2.2, 1.4.3). What a control cannot be used for is not
// counted.
const faint = `(() => {
	const parse = (c) => { const m = c.match(/[\d.]+/g).map(Number); return c.startsWith("color(srgb") ? [m[0]*255, m[1]*255, m[2]*255, m[3] ?? 1] : [m[0], m[1], m[2], m[3] ?? 1]; };
	const over = (top, under) => top.slice(0, 3).map((x, i) => x * top[3] + under[i] * (1 - top[3])).concat(1);
	const behind = (e) => !e ? [255, 255, 255, 1] : (c => c[3] === 1 ? c : over(c, behind(e.parentElement)))(parse(getComputedStyle(e).backgroundColor));
	const light = (c) => { const [r, g, b] = c.map(x => (x /= 255, x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4)); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
	const found = new Set();
	for (const e of document.querySelectorAll("body *")) {
		if (!e.checkVisibility() || e.closest(".hidden, .skip, svg, :disabled")) continue;
		if (![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) && !e.matches("input, textarea")) continue;
		const style = getComputedStyle(e), back = behind(e), text = over(parse(style.color), back);
		const [a, b] = [light(text), light(back)].sort((x, y) => y - x);
		const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && style.fontWeight >= 700);
		const ratio = (a + 0.05) / (b + 0.05);
		if (ratio < (large ? 3 : 4.5)) found.add((e.className || e.tagName) + " " + ratio.toFixed(2));
	}
	return [...found].join("; ");
})()`

// nameless lists controls that a screen reader could not name, and ids that
// stand twice.
const nameless = `(() => {
	const out = [];
	for (const e of document.querySelectorAll("button, a[href], input, select, textarea, [role=tab], [role=group]")) {
		if (!e.checkVisibility()) continue;
		const name = e.getAttribute("aria-label") || e.title || (e.labels?.length ? e.labels[0].textContent : "") || (e.matches("button, a, [role=tab]") ? e.textContent : "");
		if (!name.trim()) out.push(e.outerHTML.slice(0, 120));
	}
	const ids = [...document.querySelectorAll("[id]")].map(e => e.id);
	out.push(...ids.filter((id, i) => ids.indexOf(id) !== i).map(id => "twice: " + id));
	for (const e of document.querySelectorAll("[aria-controls], [aria-labelledby], [aria-describedby]"))
		for (const a of ["aria-labelledby", "aria-describedby"]) if (e.hasAttribute(a) && !document.getElementById(e.getAttribute(a))) out.push(a + " of " + e.className);
	for (const e of document.querySelectorAll("[aria-selected=true][aria-controls], [aria-expanded][aria-controls]"))
		if (e.checkVisibility() && !document.getElementById(e.getAttribute("aria-controls"))) out.push("aria-controls of " + e.textContent);
	return out.join("; ");
})()`

// R-O03: every text can be read in both themes, and every control has a name.
func TestAccess(t *testing.T) {
	site := openShop(t)
	for _, scheme := range []string{"light", "dark"} {
		t.Run(scheme, func(t *testing.T) {
			b := newTab(t, 1280, 900)
			look := func(where string) {
				t.Helper()
				if found := eval[string](b, faint); found != "" {
					t.Errorf("too faint on %s: %s", where, found)
				}
				if found := eval[string](b, nameless); found != "" {
					t.Errorf("without a name on %s: %s", where, found)
				}
			}
			b.run(chromedp.ActionFunc(func(ctx context.Context) error {
				return emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{
					{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"},
				}).Do(ctx)
			}), chromedp.Navigate(site+"/openrpc/ui#Catalog.search"))
			b.until("!!document.querySelector('.gate')")
			look("the question for a token")
			b.giveToken(secret)
			b.until("!!document.querySelector('.method')")
			eval[int](b, "[...document.querySelectorAll('.more')].map(e => e.click()).length")
			look("a deprecated method")
			b.run(chromedp.Evaluate("location.hash = '#Orders.create'", nil))
			b.until("document.querySelector('h1')?.innerText === 'Place an order'")
			refusedOrder(b)
			look("a form with an error")
			b.run(chromedp.Evaluate("location.hash = '#Catalog.categories'", nil))
			b.until("document.querySelector('h1')?.innerText === 'List categories'")
			b.click(".tabs button", "Try it")
			b.click(".try button", "Send")
			b.until("!!document.querySelector('.answer')")
			b.click(".answer .more", "Headers")
			look("an answer")
			b.run(chromedp.Evaluate("location.hash = ''", nil))
			b.until("!!document.querySelector('.overview')")
			look("the overview")
			b.fill("#search", "order")
			b.until("document.querySelectorAll('[role=option]').length > 0")
			look("search")
			b.click("#token", "Token")
			look("the dialog")
		})
	}
}
