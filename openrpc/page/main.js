// The page: one document at a time, one method at a time, both in its address:
// ?d=<document>#<method>.
const settings = JSON.parse(document.getElementById("settings").textContent);
const root = document.getElementById("app");
const main = el("main", { id: "main", class: "main", tabindex: "-1" });
const sideHost = el("div", { class: "side-host" });
let side = null, loading = 0;

const app = {
	settings, token: new Token(), doc: null, listed: null, language: "curl", locked: false, drafts: new Map(),
	needsToken: () => app.token.set || app.locked || app.listed?.token === true,
	go: (name) => { location.hash = hashOf(name); },
	open: (name) => {
		const url = new URL(location.href);
		if (name === settings.documents[0].name) url.searchParams.delete("d");
		else url.searchParams.set("d", name);
		history.pushState(null, "", url);
		app.reload();
	},
	reload: () => loadDocument(),
	openRaw: async (event) => {
		// A link cannot carry the token, so the text that was loaded is shown.
		if (!app.token.set) return;
		event.preventDefault();
		const at = URL.createObjectURL(new Blob([print(app.doc.root)], { type: "application/json" }));
		el("a", { href: at, target: "_blank", rel: "noopener" }).click();
		setTimeout(() => URL.revokeObjectURL(at), 60_000);
	},
};

function chosen() {
	const name = new URL(location.href).searchParams.get("d");
	return settings.documents.find((d) => d.name === name) ?? settings.documents[0];
}

async function loadDocument() {
	const turn = ++loading;
	app.listed = chosen();
	main.setAttribute("aria-busy", "true");
	if (!app.doc) main.replaceChildren(el("p", { class: "waiting plain", text: "Loading the document…" }));
	try {
		const doc = await load(app.listed, app.token);
		if (turn !== loading) return;
		app.doc = doc;
		const chooser = document.activeElement?.closest(".chooser")?.firstChild.textContent;
		side = sidebar(app);
		sideHost.replaceChildren(side.node);
		if (chooser) [...side.node.querySelectorAll(".chooser")].find((c) => c.firstChild.textContent === chooser)?.querySelector("select").focus();
		document.body.classList.remove("alone");
		showTop();
		route();
	} catch (e) {
		if (turn !== loading) return;
		if (!(e instanceof Failure)) console.error(e);
		app.doc = null;
		app.locked ||= e.kind === "token";
		side = null;
		sideHost.replaceChildren();
		document.body.classList.add("alone");
		showTop();
		main.replaceChildren(failureView(app, e));
		main.querySelector("input, h1")?.focus();
	} finally {
		if (turn === loading) main.removeAttribute("aria-busy");
	}
}

// route shows what the address names.
function route(event) {
	if (!app.doc) return;
	let name = location.hash.slice(1);
	try {
		name = decodeURIComponent(name);
	} catch { /* taken as it is */ }
	if (name === "main") return;
	const method = app.doc.byName.get(name);
	closeMenu();
	main.replaceChildren(method ? methodView(app, method) : name ? missing(name) : overview(app));
	side.mark(method?.name);
	document.title = (method ? method.name + " · " : "") + settings.title;
	if (event) {
		scrollTo({ top: 0, behavior: "instant" });
		main.querySelector("h1")?.focus({ preventScroll: true });
	}
}

function missing(name) {
	const elsewhere = settings.documents.length > 1 ? " It may be in another group or version." : "";
	return el("div", { class: "gate" }, el("h1", { tabindex: "-1", text: "There is no such method here" }),
		el("p", { class: "muted" }, el("code", { text: name }), " is not in this document." + elsewhere), el("a", { href: "#", text: "All methods" }));
}

// The bar at the top.
const menuButton = button({ class: "icon-button menu-button", "aria-label": "Menu", "aria-expanded": "false", "aria-controls": "side", on: { click: () => toggleMenu() } }, icon("menu"));
const tokenButton = button({ class: "token-button", id: "token", on: { click: () => tokenDialog(app.token, () => app.reload()) } });
const rawLink = el("a", { class: "icon-button raw", title: "OpenRPC document", "aria-label": "OpenRPC document", on: { click: (event) => app.openRaw(event) } }, icon("braces"));

function showTop() {
	tokenButton.replaceChildren(icon("key"), el("span", { text: app.token.set ? "Token set" : "Token" }));
	tokenButton.classList.toggle("on", app.token.set);
	tokenButton.setAttribute("aria-label", app.token.set ? "Token: set" : "Token: none");
	rawLink.setAttribute("href", absolute(app.listed.url));
	rawLink.hidden = !app.doc;
	menuButton.hidden = !app.doc;
}

function toggleMenu(open = !document.body.classList.contains("menu")) {
	document.body.classList.toggle("menu", open);
	menuButton.setAttribute("aria-expanded", String(open));
}

function closeMenu() {
	if (document.body.classList.contains("menu")) toggleMenu(false);
}

root.append(
	el("header", { class: "bar" }, menuButton,
		el("a", { class: "brand", href: "#" }, gem(), el("span", { text: settings.title })),
		el("div", { class: "bar-acts" }, rawLink, tokenButton, themeButton())),
	el("div", { class: "frame" }, sideHost, main),
	el("div", { class: "veil", on: { click: () => closeMenu() } }), live);

addEventListener("hashchange", route);
addEventListener("popstate", () => { if (app.listed !== chosen()) loadDocument(); });
addEventListener("keydown", (event) => {
	const typing = event.target instanceof HTMLElement && event.target.closest("input, textarea, select, [contenteditable]");
	const slash = event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey;
	if (slash || (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey))) {
		if (!side || document.querySelector("dialog[open]")) return;
		event.preventDefault();
		if (getComputedStyle(menuButton).display !== "none") toggleMenu(true);
		side.focusSearch();
	} else if (event.key === "Escape") {
		closeMenu();
	}
});
loadDocument();
