// methodView is the page of one method: what it is, and beside that what is
// sent and what comes back.
function methodView(app, method) {
	const { doc } = app;
	let example = method.examples[0] ?? null;
	const answerPlace = el("div", { class: "card-body" }), answerTitle = el("h2", { text: "Response" });
	const snippetPlace = el("div", { class: "card-body", role: "tabpanel", id: freshID("panel") });
	// What was typed stays while the page is open: a token given on the way, or
	// a look at another method, does not cost it.
	const key = `${doc.listed.name} ${method.name}`;
	if (!app.drafts.has(key)) app.drafts.set(key, { params: null, tab: "reference" });
	const draft = app.drafts.get(key);
	const state = {
		draft, params: draft.params ?? firstParams(doc, method),
		first: () => (example ? exampleParams(method, example) : firstParams(doc, method)),
		changed: () => showSnippet(),
		busy: () => { answerPlace.replaceChildren(el("p", { class: "waiting", text: "Waiting for the answer…" })); },
		idle: () => showExample(),
		answer: (node) => {
			answerTitle.textContent = "Response";
			answerPlace.replaceChildren(node);
			const box = answerPlace.getBoundingClientRect();
			if (box.top > innerHeight - 80) side.lastChild.scrollIntoView({ block: "nearest" });
		},
	};
	state.params = onWire(method, state.params);
	const showSnippet = () => {
		const chosen = known.find((l) => l.id === app.language) ?? known[0];
		const { shown } = doc.target(method);
		const code = chosen.write({ doc, method, params: state.params, token: app.token, wanted: app.needsToken(), url: shown || "https://…" });
		snippetPlace.replaceChildren(codeBlock(code, chosen.mode, chosen.label));
	};
	const showExample = () => {
		const r = firstResult(doc, method, example);
		answerTitle.textContent = r?.declared ? "Example response" : "Shape of the response";
		answerPlace.replaceChildren(r ? codeBlock(print(r.value), "json", "Result") : el("p", { class: "waiting", text: "A notification: there is no answer." }));
	};
	const known = languagesOf(doc, method);
	const langTabs = tabs({ label: "Language", kind: "code-tabs", one: snippetPlace, selected: known.some((l) => l.id === app.language) ? app.language : known[0].id,
		entries: known.map((l) => ({ id: l.id, label: l.label })), change: (id) => { app.language = id; if (state.params) showSnippet(); } });
	const pick = method.examples.length > 1 || method.examples[0]?.name ? examplePick(method, (i) => {
		example = method.examples[i];
		state.params = onWire(method, exampleParams(method, example));
		draft.params = exampleParams(method, example);
		state.form?.set(draft.params);
		showSnippet();
		showExample();
	}) : null;
	const side = el("aside", { class: "method-side", "aria-label": "Request and response" },
		el("section", { class: "card" }, el("div", { class: "card-head" }, el("h2", { class: "hidden", text: "Request" }), langTabs.list, pick), snippetPlace),
		el("section", { class: "card" }, el("div", { class: "card-head" }, answerTitle), answerPlace));
	showSnippet();
	showExample();
	const parts = tabs({ label: "View", selected: draft.tab, change: (id) => { draft.tab = id; }, entries: [
		{ id: "reference", label: "Reference", panel: () => reference(doc, method) },
		{ id: "try", label: "Try it", panel: () => tryPanel(app, method, state) },
	] });
	return el("article", { class: "method" }, el("div", { class: "method-main" }, methodHead(doc, method), parts.list, parts.body), side);
}

function examplePick(method, choose) {
	const control = el("select", { "aria-label": "Example", on: { change: () => choose(Number(control.value)) } },
		method.examples.map((e, i) => el("option", { value: String(i), text: e.title || e.name || `Example ${i + 1}` })));
	return el("div", { class: "select select-dark" }, control, icon("chevron"));
}

function methodHead(doc, method) {
	const tag = method.tags[0] ?? (method.name.includes(".") ? method.name.slice(0, method.name.lastIndexOf(".")) : "");
	const lang = doc.language || null;
	return el("header", { class: "method-head" },
		tag && el("p", { class: "crumb", text: tag }),
		el("h1", { tabindex: "-1", lang, dir: "auto", text: method.title || method.name }),
		el("div", { class: "method-name" }, el("code", { class: method.title && method.title !== method.name ? null : "hidden", text: method.name }), copyButton(() => method.name, "Copy the name"), linkButton()),
		badges(doc, method),
		method.deprecated && el("div", { class: "callout", role: "note", lang }, icon("warning"), el("div", null, el("strong", { lang: "en", text: "Deprecated. " }), inline(method.instead))),
		method.description && method.description !== method.title && el("div", { class: "prose lead", lang, dir: "auto" }, markdown(method.description)), // a comment of one sentence is the title already
		method.docs && el("p", { class: "small" }, anchor(text(method.docs.url), text(method.docs.description) || "More about it")));
}

function linkButton() {
	const b = copyButton(() => location.href, "Copy a link to this method");
	b.replaceChildren(icon("link"));
	return b;
}

// badges say what the extensions of the document say of a method.
function badges(doc, method) {
	const s = method.source, out = [];
	const say = (label, title, kind = "") => out.push(el("li", { class: "badge " + kind, title, text: label }));
	const hints = own(s, "x-hints") ?? {};
	if (hints.readOnly) say("read only", "Changes nothing", "good");
	if (hints.destructive) say("destructive", "May remove or overwrite something", "bad");
	if (hints.idempotent) say("idempotent", "Calling it again changes nothing more");
	const cache = own(s, "x-cache"), lock = own(s, "x-lock"), limit = own(s, "x-timeout");
	if (cache) say(`cached ${seconds(cache.ttl)}`, cache.shared ? "Results are shared by all callers" : "Results are kept for each caller");
	if (lock) say(lock.on ? `one at a time per ${text(lock.on)}` : "one at a time", "Calls that meet exclude each other; one that waits too long is refused");
	if (limit) say(`timeout ${seconds(limit)}`, "How long a call may take");
	const since = own(s, "x-since"), until = own(s, "x-until");
	if (since && since.text !== "1") say(`since v${since.text}`, "The version it came with");
	if (until) say(`until v${until.text}`, "The last version that has it", "warn");
	const groups = list(own(s, "x-groups")).filter((g) => typeof g === "string" && g !== doc.listed.group);
	if (groups.length) say(`also in ${groups.join(", ")}`, "Other groups in which it is published");
	return out.length ? el("ul", { class: "badges", "aria-label": "Properties" }, out) : null;
}

function seconds(n) {
	const s = Number(n?.text ?? n);
	return s >= 3600 && s % 3600 === 0 ? `${s / 3600} h` : s >= 60 && s % 60 === 0 ? `${s / 60} min` : `${s} s`;
}

function reference(doc, method) {
	const how = { "by-name": "by name", "by-position": "by position", either: "by name or by position" }[method.structure] ?? method.structure;
	return [
		section("Parameters", method.params.length ? `sent ${how}` : "", method.params.length ? fieldList(doc, method.params) : el("p", { class: "muted", text: "None." }),
			method.params.length ? sourceButton(method.source.params) : null),
		method.result && section("Result", "", typeBlock(doc, method.result.schema ?? {}, text(method.result.description) || text(method.result.summary)), sourceButton(method.result.schema ?? {})),
		method.errors.length && section("Errors", "", el("ul", { class: "errors" }, method.errors.map((e) => errorItem(doc, e)))),
		method.examples.length && section("Examples", "", method.examples.map((e) => exampleItem(doc, method, e))),
		method.links.length && section("Links", "", el("ul", { class: "prose" }, method.links.map((l) => el("li", null, linked(doc, l), " ", text(l.description))))),
	].filter(Boolean);
}

function linked(doc, link) {
	return doc.byName.has(link.method) ? el("a", { href: hashOf(link.method), text: link.method }) : el("code", { text: text(link.method) || text(link.name) });
}

function section(title, note, ...content) {
	const id = freshID("section");
	return el("section", { class: "section", "aria-labelledby": id },
		el("div", { class: "section-head" }, el("h2", { id, text: title }), note && el("span", { class: "muted small", text: note })), content);
}

// errorItem is one error, with the schema of its data behind a button. The
// kind is the constant of data.exception, where there is one.
function errorItem(doc, error) {
	const data = error.data;
	const v = isObject(data) && (data.type || data.$ref || data.properties || data.allOf) ? view(doc, data) : null;
	const kind = v && v.properties.map(([n, p]) => (n === "exception" ? text(own(p, "const")) : "")).find(Boolean);
	const details = v?.properties.find(([n]) => n === "details" || n === "violations");
	return el("li", { class: "error" },
		el("div", { class: "field-head" }, el("code", { class: "error-code", text: print(error.code ?? null) }),
			kind && el("span", { class: "field-name", text: kind })),
		error.message && el("p", { class: "small", lang: doc.language || null, text: text(error.message) }),
		v && details ? disclosure("Show data", "Hide data", () => members(doc, v, true)) : data !== undefined && !v ? disclosure("Show data", "Hide data", () => codeBlock(print(data), "json", "Data")) : null);
}

function exampleItem(doc, method, e) {
	const lang = doc.language || null;
	return el("div", { class: "example" },
		el("h3", { lang, text: e.title || e.name || "Example" }),
		e.description && el("div", { class: "prose small", lang }, markdown(e.description, 4)),
		el("p", { class: "muted small", text: "params" }), codeBlock(print(onWire(method, exampleParams(method, e))), "json", "Parameters"),
		e.result && [el("p", { class: "muted small", text: "result" }), codeBlock(print(e.result.value ?? null), "json", "Result")]);
}
