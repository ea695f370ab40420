// overview is what is shown without a method: what the service is, and all its
// methods by tag.
function overview(app) {
	const { doc } = app, info = own(doc.root, "info") ?? {}, lang = doc.language || null;
	const { shown } = doc.target(null);
	return el("article", { class: "overview" },
		el("header", { class: "method-head" },
			el("p", { class: "crumb", text: ["OpenRPC " + text(doc.root.openrpc), text(info.version) && "version " + text(info.version)].filter(Boolean).join(" · ") }),
			el("h1", { tabindex: "-1", lang, dir: "auto", text: text(info.title) || app.settings.title }),
			info.description && el("div", { class: "prose lead", lang, dir: "auto" }, markdown(text(info.description), 2))),
		el("dl", { class: "about" },
			shown && pair("Calls go to", el("code", { text: shown }), copyButton(() => shown, "Copy the address")),
			app.needsToken() && pair("Token", el("code", { text: app.token.name === "Authorization" ? "Authorization: Bearer …" : `${app.token.name}: …` })),
			info.contact && pair("Contact", contact(info.contact)),
			info.license && pair("License", info.license.url ? anchor(text(info.license.url), text(info.license.name) || text(info.license.url)) : text(info.license.name)),
			info.termsOfService && pair("Terms", anchor(text(info.termsOfService), "Terms of service")),
			own(doc.root, "externalDocs") && pair("More", anchor(text(doc.root.externalDocs.url), text(doc.root.externalDocs.description) || text(doc.root.externalDocs.url))),
			pair("Document", el("a", { href: doc.url(), text: "OpenRPC JSON", on: { click: (event) => app.openRaw(event) } }))),
		doc.methods.length ? null : el("p", { class: "muted", text: "The document lists no methods that you may see." }),
		doc.groups().map((g) => section(g.name, `${g.methods.length} ${g.methods.length === 1 ? "method" : "methods"}`,
			g.about && el("div", { class: "prose small", lang }, markdown(text(g.about.description), 4)),
			el("ul", { class: "index" }, g.methods.map((m) => el("li", null,
				el("a", { href: hashOf(m.name), class: m.deprecated ? "index-name struck" : "index-name", text: m.name }),
				el("span", { class: "index-text", lang, text: m.title && m.title !== m.name ? m.title : firstSentence(m.description) })))))));
}

function pair(term, ...what) {
	return el("div", null, el("dt", { text: term }), el("dd", null, what));
}

function contact(c) {
	const name = text(c.name) || text(c.email) || text(c.url);
	return c.url ? anchor(text(c.url), name) : c.email ? anchor("mailto:" + text(c.email), name) : name;
}

// hashOf is the address of a method within the page.
function hashOf(name) {
	return "#" + encodeURIComponent(name);
}

// failureView says why there is no document, and asks for a token when that is
// what is missing.
function failureView(app, failure) {
	if (failure.kind === "token") {
		return el("div", { class: "gate" }, el("span", { class: "gate-icon" }, icon("key")),
			el("h1", { tabindex: "-1", text: app.token.set ? "The token was refused" : "This document needs a token" }),
			el("p", { class: "muted", text: app.token.set ? "The server does not let this token read the document." : "The server shows its methods only to those who may call them." }),
			failure.message && el("p", { class: "gate-said" }, el("code", { text: String(failure.status) }), " ", failure.message),
			tokenForm(app.token, () => app.reload()));
	}
	return el("div", { class: "gate" }, el("span", { class: "gate-icon bad" }, icon("warning")),
		el("h1", { tabindex: "-1", text: failure.title || "Something went wrong" }),
		el("p", { class: "muted", text: failure.message }),
		button({ class: "primary", on: { click: () => app.reload() } }, "Try again"));
}
