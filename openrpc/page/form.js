// makeSlot is a named place for a value: what is optional may be left out, what
// is nullable may be null, and the two are not the same. The control is made
// when there is a value to edit, so types that contain themselves end.
function makeSlot(doc, { name, schema, required, description, deprecated }, context) {
	const v = view(doc, schema);
	const id = freshID("field"), noteID = freshID("note");
	let state = required ? "value" : "out", inner = null;
	const complex = v.kind === "object" || v.kind === "array" || v.kind === "map" || v.kind === "choice";
	const place = el("div", { class: complex ? "slot-body nested" : "slot-body" });
	const changed = () => context.changed();
	const build = () => {
		if (inner) return inner;
		inner = makeField(doc, schema, { id, changed, depth: context.depth + 1, describedBy: noteID });
		place.replaceChildren(inner.node);
		return inner;
	};
	const marks = [];
	const mark = (wanted, label, title) => {
		const b = button({ class: "mark", title, "aria-pressed": "false", on: { click: () => { go(state === wanted ? "value" : wanted); changed(); } } }, label);
		marks.push([wanted, b]);
		return b;
	};
	const add = !required && button({ class: "add", "aria-label": `Add ${name}`, on: { click: () => { go("value"); changed(); inner?.focus?.focus(); } } }, icon("plus"), el("span", { text: "Add" }));
	const nullMark = v.nullable && mark("null", "null", "Send null");
	const remove = !required && button({ class: "add", "aria-label": `Leave ${name} out`, on: { click: () => { go("out"); changed(); add.focus(); } } }, icon("close"), el("span", { text: "Leave out" }));
	const refused = refusal(place);
	const go = (to, value) => {
		state = to;
		if (to === "value" && !inner) build().set(value ?? start());
		place.hidden = to !== "value";
		for (const [wanted, b] of marks) b.setAttribute("aria-pressed", String(to === wanted));
		if (add) add.hidden = to !== "out";
		if (remove) remove.hidden = to === "out";
		if (nullMark) nullMark.hidden = to === "out";
		node.dataset.state = to;
		refused.say("");
	};
	const start = () => sample(doc, schema, { words: false, all: false });
	const words = firstSentence(description || text(v.schema.description));
	const node = el("div", { class: "slot", role: complex ? "group" : null, "aria-label": complex ? name : null },
		el("div", { class: "slot-head" },
			complex ? el("span", { class: "field-name", text: name }) : el("label", { class: "field-name", for: id, text: name }),
			el("span", { class: "field-type", text: typeLabel(doc, v) }),
			required && el("span", { class: "flag flag-required", text: "required" }),
			deprecated && el("span", { class: "flag flag-deprecated", text: "deprecated" }),
			el("span", { class: "slot-acts" }, nullMark, remove, add)),
		el("p", { class: "slot-note", id: noteID, lang: doc.language || null, text: words }),
		place, refused.node);
	go(state);
	return {
		name, node,
		get: () => (state === "out" ? undefined : state === "null" ? null : build().get()),
		set: (x) => {
			if (x === undefined) {
				if (required) build().set(undefined);
				else inner = null; // adding it again begins anew
				go(required ? "value" : "out");
			} else if (x === null && v.nullable) {
				go("null");
			} else {
				const fresh = !inner;
				go("value", x);
				if (!fresh) inner.set(x);
			}
		},
		refuse: (pointer, message) => {
			if (state === "value" && inner && (pointer.length || !complex) && inner.refuse(pointer, message)) return true;
			refused.say((pointer.length ? pointer.join("/") + ": " : "") + message);
			return true;
		},
		clear: () => refused.say(""),
		get focus() { return inner?.focus ?? add; },
	};
}

// arrayField is a list of items that can be added and removed.
function arrayField(doc, v, context) {
	const schema = v.schema.items ?? {};
	let items = [];
	const rows = el("div", { class: "items" });
	const append = (value) => {
		const item = makeField(doc, schema, { ...context, id: freshID("field"), depth: context.depth + 1 });
		item.set(value);
		const number = el("span", { class: "item-number" });
		const row = el("div", { class: "item", role: "group" }, number,
			el("div", { class: "item-body" }, item.node),
			button({ class: "icon-button", on: { click: () => { items = items.filter((x) => x !== entry); row.remove(); name(); context.changed(); more.focus(); } } }, icon("trash")));
		const entry = { ...item, row, number };
		items.push(entry);
		rows.append(row);
		name();
		return item;
	};
	const name = () => items.forEach((x, i) => {
		x.number.textContent = String(i);
		x.row.setAttribute("aria-label", `Item ${i}`);
		x.row.lastChild.setAttribute("aria-label", `Remove item ${i}`);
	});
	const more = button({ class: "add", on: { click: () => { const made = append(sample(doc, schema, { words: false, all: false })); context.changed(); made.focus?.focus?.(); } } }, icon("plus"), el("span", { text: "Add item" }));
	return {
		node: el("div", null, rows, more),
		get: () => items.map((x) => { const value = x.get(); return value === undefined ? null : value; }),
		set: (x) => {
			rows.replaceChildren();
			items = [];
			for (const value of list(x)) append(value);
		},
		refuse: ([at, ...rest], message) => items[Number(at)]?.refuse(rest, message) ?? false,
		focus: more,
	};
}

// mapField is a list of names with values.
function mapField(doc, v, context) {
	const schema = v.schema.additionalProperties;
	let rows = [];
	const place = el("div", { class: "items" });
	const append = (name, value) => {
		const item = makeField(doc, schema, { ...context, id: freshID("field"), depth: context.depth + 1 });
		item.set(value);
		const key = el("input", { class: "control mono", type: "text", "aria-label": "Name", placeholder: "name", spellcheck: "false", on: { input: context.changed } });
		key.value = name;
		const row = el("div", { class: "item", role: "group", "aria-label": "Member" }, key, el("div", { class: "item-body" }, item.node),
			button({ class: "icon-button", "aria-label": "Remove member", on: { click: () => { rows = rows.filter((r) => r !== entry); row.remove(); context.changed(); more.focus(); } } }, icon("trash")));
		const entry = { key, item };
		rows.push(entry);
		place.append(row);
		return key;
	};
	const more = button({ class: "add", on: { click: () => { const key = append("", sample(doc, schema, { words: false, all: false })); context.changed(); key.focus(); } } }, icon("plus"), el("span", { text: "Add member" }));
	return {
		node: el("div", null, place, more),
		get: () => {
			const out = {};
			for (const r of rows) if (r.key.value) define(out, r.key.value, r.item.get());
			return out;
		},
		set: (x) => {
			place.replaceChildren();
			rows = [];
			if (isObject(x)) for (const [name, value] of Object.entries(x)) append(name, value);
		},
		refuse: ([name, ...rest], message) => rows.find((r) => r.key.value === name)?.item.refuse(rest, message) ?? false,
		focus: more,
	};
}

// byName is params as an object; null for what are no params.
function byName(method, params) {
	if (Array.isArray(params)) return Object.fromEntries(params.map((x, i) => [method.params[i]?.name ?? String(i), x]));
	return isObject(params) ? params : null;
}

// makeForm is the form of a method's params, and the same as JSON text.
function makeForm(doc, method, start, changed) {
	let raw = false, extra = {};
	const context = { changed: () => changed(), depth: 0 };
	const slots = method.params.map((p) => makeSlot(doc, p, context));
	const known = new Set(slots.map((s) => s.name));
	const fields = el("div", { class: "members top" }, slots.length ? slots.map((s) => s.node) : el("p", { class: "muted", text: "This method has no parameters." }));
	const fault = el("p", { class: "fault", role: "alert", hidden: true });
	const editor = el("textarea", { class: "control mono editor", "aria-label": "Parameters as JSON", rows: 12, spellcheck: "false", on: { input: () => { judge(); changed(); } } });
	const jsonPane = el("div", { hidden: true }, editor, fault);
	const judge = () => {
		let ok = true;
		try { parse(editor.value || "{}"); } catch (e) { ok = false; fault.textContent = `Not JSON yet: ${e.message}`; }
		fault.hidden = ok;
		return ok;
	};
	const read = () => {
		const out = {};
		for (const s of slots) {
			const value = s.get();
			if (value !== undefined) define(out, s.name, value);
		}
		for (const [name, value] of Object.entries(extra)) define(out, name, value);
		return out;
	};
	const write = (params) => {
		for (const s of slots) s.set(own(params, s.name));
		extra = Object.fromEntries(Object.entries(params).filter(([n]) => !known.has(n)));
	};
	write(start);
	return {
		node: el("div", null, fields, jsonPane),
		ready: () => !raw || judge(),
		// params are what is sent; the last sound ones while the text is no JSON.
		params: () => {
			if (!raw) return onWire(method, read());
			try { return parse(editor.value || "{}"); } catch { return onWire(method, read()); }
		},
		// named are the same by name, to begin with another time.
		named: () => {
			if (!raw) return read();
			try { return byName(method, parse(editor.value || "{}")) ?? read(); } catch { return read(); }
		},
		set: (params) => {
			write(params);
			editor.value = print(onWire(method, params));
			judge();
		},
		// show switches between fields and text. Text that is no object by name
		// stays text: the fields could not show it.
		show: (asText) => {
			if (asText === raw) return true;
			if (asText) {
				editor.value = print(onWire(method, read()));
				judge();
			} else {
				let params;
				try { params = parse(editor.value || "{}"); } catch { return false; }
				params = byName(method, params);
				if (!params) return false;
				write(params);
			}
			raw = asText;
			fields.hidden = raw;
			jsonPane.hidden = !raw;
			return true;
		},
		// refuse shows a violation at its field; false when no field is meant.
		refuse: (pointer, message) => {
			const [first, ...rest] = pointer.split("/").slice(1).map((p) => p.replaceAll("~1", "/").replaceAll("~0", "~"));
			return slots.find((s) => s.name === first)?.refuse(rest, message) ?? false;
		},
		clear: () => {
			for (const node of fields.querySelectorAll(".fault")) node.hidden = true;
			for (const node of fields.querySelectorAll("[aria-invalid]")) {
				node.removeAttribute("aria-invalid");
				node.removeAttribute("aria-errormessage");
			}
		},
	};
}
