// A form field is { node, get, set, refuse(pointer, message), label }. get
// answers the value, undefined for what is left out. Numbers travel as they
// were typed, so what is wrong is refused by the server, as of any client.

// makeField makes the control of a schema.
function makeField(doc, schema, context) {
	const v = view(doc, schema);
	if (context.depth > 8) return rawField(context);
	switch (v.kind) {
	case "object": return v.properties.length || v.schema.additionalProperties === false ? objectField(doc, v, context) : rawField(context);
	case "array": return Array.isArray(v.schema.items) ? rawField(context) : arrayField(doc, v, context);
	case "map": return isObject(v.schema.additionalProperties) ? mapField(doc, v, context) : rawField(context);
	case "choice": return choiceField(doc, v, context);
	case "enum": return enumField(v, context);
	case "boolean": return optionsField([false, true], [], context);
	case "string": return textField(v, context, (t) => t, (x) => (typeof x === "string" ? x : print(x, "")));
	case "integer": case "number":
		return textField(v, context, (t) => (!t.trim() ? undefined : numberText.test(t.trim()) ? new Num(t.trim()) : t), (x) => (typeof x === "string" ? x : print(x, "")));
	case "null": return { node: el("code", { text: "null" }), get: () => null, set() {}, refuse: () => false };
	default: return rawField(context);
	}
}

// refusal is the place for what the server says of a field.
function refusal(control) {
	const id = freshID("fault");
	const node = el("p", { class: "fault", id, hidden: true });
	return {
		node,
		say(message) {
			node.hidden = !message;
			node.replaceChildren(...(message ? [icon("warning"), el("span", { text: message })] : []));
			if (message) {
				control.setAttribute("aria-invalid", "true");
				control.setAttribute("aria-errormessage", id);
			} else {
				control.removeAttribute("aria-invalid");
				control.removeAttribute("aria-errormessage");
			}
		},
	};
}

function textField(v, context, read, write) {
	const s = v.schema, numeric = v.kind !== "string";
	const long = !numeric && (Number(s.maxLength?.text ?? 0) > 255 || s.contentEncoding || s.format === "byte");
	const hint = numeric ? (limits(v)[0] ?? "") : formats[s.format] ?? "";
	const control = el(long ? "textarea" : "input", {
		class: "control", id: context.id, "aria-describedby": context.describedBy, placeholder: hint || null,
		type: long ? null : "text", inputmode: numeric ? (v.kind === "integer" ? "numeric" : "decimal") : null,
		rows: long ? 3 : null, autocomplete: "off", autocapitalize: "off", spellcheck: "false",
		on: { input: () => { fault.say(""); context.changed(); } },
	});
	const fault = refusal(control);
	return {
		node: el("div", null, control, fault.node),
		get: () => read(control.value),
		set: (x) => { control.value = x === undefined || x === null ? "" : write(x); },
		refuse: (_, message) => (fault.say(message), true),
		focus: control,
	};
}

function enumField(v, context) {
	const s = v.schema;
	const values = own(s, "const") !== undefined ? [s.const] : s.enum.filter((x) => x !== null);
	return optionsField(values, list(s["x-enum-descriptions"]), context);
}

// optionsField chooses one of some values.
function optionsField(values, texts, context) {
	const control = el("select", { class: "control", id: context.id, "aria-describedby": context.describedBy, on: { change: () => { fault.say(""); context.changed(); } } },
		values.map((x, i) => el("option", { value: String(i) }, (typeof x === "string" ? x : print(x, "")) + (texts[i] ? ` · ${texts[i]}` : ""))));
	const fault = refusal(control);
	return {
		node: el("div", null, el("div", { class: "select" }, control, icon("chevron")), fault.node),
		get: () => values[Number(control.value)],
		set: (x) => {
			const at = values.findIndex((y) => print(y, "") === print(x, ""));
			if (at >= 0) control.value = String(at);
		},
		refuse: (_, message) => (fault.say(message), true),
		focus: control,
	};
}

// rawField takes any JSON.
function rawField(context) {
	const control = el("textarea", {
		class: "control mono", id: context.id, rows: 3, spellcheck: "false", placeholder: "JSON", "aria-describedby": context.describedBy,
		on: { input: () => { fault.say(isJSON(control.value) ? "" : "This is not JSON; it is sent as a text."); context.changed(); } },
	});
	const fault = refusal(control);
	return {
		node: el("div", null, control, fault.node),
		get: () => { try { return parse(control.value); } catch { return control.value || null; } },
		set: (x) => { control.value = print(x ?? null); },
		refuse: (_, message) => (fault.say(message), true),
		focus: control,
	};
}

function isJSON(t) {
	try {
		JSON.parse(t);
		return true;
	} catch {
		return !t.trim();
	}
}

// objectField has a slot for each member, and keeps members that it does not
// know of: a JSON text may have set them.
function objectField(doc, v, context) {
	const slots = v.properties.map(([name, schema]) => makeSlot(doc, { name, schema, required: v.required.has(name) }, context));
	const known = new Set(v.properties.map(([name]) => name));
	let others = {};
	return {
		node: el("div", { class: "members" }, slots.map((s) => s.node)),
		get: () => {
			const out = {};
			for (const s of slots) {
				const value = s.get();
				if (value !== undefined) define(out, s.name, value);
			}
			for (const [name, value] of Object.entries(others)) define(out, name, value);
			return out;
		},
		set: (x) => {
			for (const s of slots) s.set(own(x, s.name));
			others = isObject(x) ? Object.fromEntries(Object.entries(x).filter(([n]) => !known.has(n))) : {};
		},
		refuse: ([name, ...rest], message) => slots.find((s) => s.name === name)?.refuse(rest, message) ?? false,
		focus: slots[0]?.focus,
	};
}

// choiceField chooses one of the variants of a union.
function choiceField(doc, v, context) {
	let at = -1, inner = null;
	const place = el("div", { class: "nested" });
	const pick = el("select", { class: "control", id: context.id, "aria-describedby": context.describedBy, on: { change: () => { show(Number(pick.value)); context.changed(); } } },
		v.variants.map((s, i) => el("option", { value: String(i) }, typeLabel(doc, view(doc, s)) || `Variant ${i + 1}`)));
	const show = (i) => {
		if (i === at) return;
		at = i;
		pick.value = String(i);
		inner = makeField(doc, v.variants[i], { ...context, id: freshID("field"), depth: context.depth + 1 });
		inner.set(sample(doc, v.variants[i], { words: false, all: false }));
		place.replaceChildren(inner.node);
	};
	show(0);
	return {
		node: el("div", null, el("div", { class: "select" }, pick, icon("chevron")), place),
		get: () => inner.get(),
		set: (x) => {
			const fit = v.variants.findIndex((s) => fits(doc, s, x));
			show(Math.max(0, fit));
			inner.set(x);
		},
		refuse: (pointer, message) => inner.refuse(pointer, message),
		focus: pick,
	};
}

// fits reports whether a value looks like one of the schema: by type, and for
// objects by the members that must be there.
function fits(doc, schema, x) {
	const v = view(doc, schema);
	switch (v.kind) {
	case "object": return isObject(x) && [...v.required].every((n) => Object.hasOwn(x, n))
		&& v.properties.every(([n, p]) => !Object.hasOwn(x, n) || view(doc, p).kind !== "enum" || fits(doc, p, x[n]));
	case "map": return isObject(x);
	case "array": return Array.isArray(x);
	case "string": return typeof x === "string";
	case "integer": case "number": return x instanceof Num;
	case "boolean": return typeof x === "boolean";
	case "enum": return [own(v.schema, "const"), ...list(v.schema.enum)].some((y) => y !== undefined && print(y, "") === print(x, ""));
	default: return false;
	}
}
