// How schemas are read: a list of members, each with type, text and limits, and
// a button that shows the next level when it is asked for.

// fieldList lists descriptors or members: { name, schema, required,
// description, deprecated, instead }. What is sent says what is required, what
// is read says what may be missing.
function fieldList(doc, entries, read) {
	return el("ul", { class: "fields" }, entries.map((e) => fieldItem(doc, e, read)));
}

function fieldItem(doc, entry, read) {
	const v = view(doc, entry.schema);
	const about = entry.description ? entry : deprecation(text(v.schema.description), entry.deprecated || v.schema.deprecated === true);
	const deprecated = entry.deprecated || about.deprecated;
	return el("li", { class: "field" },
		el("div", { class: "field-head" },
			el("span", { class: deprecated ? "field-name struck" : "field-name", dir: "auto", text: entry.name }),
			el("span", { class: "field-type", text: typeLabel(doc, v) }),
			entry.required && !read && el("span", { class: "flag flag-required", text: "required" }),
			!entry.required && read && el("span", { class: "flag", text: "optional" }),
			deprecated && el("span", { class: "flag flag-deprecated", text: "deprecated" }),
			v.schema.readOnly === true && el("span", { class: "flag", text: "read only" }),
			v.schema.writeOnly === true && el("span", { class: "flag", text: "write only" })),
		entry.title && entry.title !== entry.name && el("p", { class: "field-title", lang: doc.language || null, text: entry.title }),
		about.description && el("div", { class: "prose small", lang: doc.language || null }, markdown(about.description, 5)),
		about.instead && el("p", { class: "instead", lang: doc.language || null }, inline(about.instead)),
		facts(doc, v), enumList(v), next(doc, v, read));
}

// facts are limits, default and examples, in one line.
function facts(doc, v) {
	const out = limits(v).map((t) => el("span", { class: "fact", text: t }));
	const say = (label, value) => out.push(el("span", { class: "fact" }, label + " ", el("code", { text: short(value) })));
	const s = v.schema;
	if (own(s, "default") !== undefined) say("default", s.default);
	if (own(s, "const") !== undefined) say("always", s.const);
	const examples = [...list(s.examples), ...(own(s, "example") !== undefined ? [s.example] : [])];
	if (examples.length) say(examples.length > 1 ? "examples" : "example", examples.length > 1 ? examples.slice(0, 3) : examples[0]);
	const item = v.kind === "array" && isObject(s.items) ? view(doc, s.items) : null;
	if (item && !opens(doc, inside(doc, v))) for (const t of limits(item)) out.push(el("span", { class: "fact", text: "each " + t }));
	return out.length ? el("div", { class: "facts" }, out) : null;
}

function short(value) {
	const t = Array.isArray(value) ? value.map((x) => print(x, "")).join(", ") : print(value, "");
	return t.length > 80 ? t.slice(0, 79) + "…" : t;
}

// enumList is the values of an enum, each with its description if there is one.
function enumList(v) {
	const values = list(v.schema.enum), texts = list(v.schema["x-enum-descriptions"]);
	if (!values.length) return null;
	const plainList = !texts.some(Boolean);
	const items = values.map((value, i) => el("li", null, el("code", { text: typeof value === "string" ? value : print(value, "") }),
		texts[i] && el("span", { text: text(texts[i]) })));
	const shown = items.slice(0, 12), rest = items.slice(12);
	const list_ = el("ul", { class: plainList ? "enum enum-plain" : "enum", "aria-label": "Values" }, shown);
	return rest.length ? [list_, disclosure(`Show ${rest.length} more values`, "Show fewer values", () => el("ul", { class: list_.className }, rest))] : list_;
}

// next is the button to the next level, or nothing when there is none.
function next(doc, v, read) {
	const item = v.kind === "array" && isObject(v.schema.items) ? view(doc, v.schema.items) : null;
	const target = inside(doc, v);
	if (item && item.kind === "enum") return enumList(item);
	if (!opens(doc, target)) return null;
	const name = target.name ? ` of ${target.name}` : "";
	if (target.kind === "choice") return disclosure(`Show ${target.variants.length} variants${name}`, "Hide variants", () => variantList(doc, target, read));
	if (target.kind === "array") return disclosure(`Show ${target.schema.items.length} items`, "Hide items", () => tuple(doc, target, read));
	const n = target.properties.length;
	return disclosure(`Show ${n} ${n === 1 ? "member" : "members"}${name}`, `Hide members${name}`, () => members(doc, target, read));
}

// members lists what an object has in it.
function members(doc, v, read) {
	return [
		fieldList(doc, v.properties.map(([name, schema]) => ({ name, schema, required: v.required.has(name) })), read),
		isObject(v.schema.additionalProperties) && el("p", { class: "muted small" }, "Any other member: ",
			typeLabel(doc, view(doc, v.schema.additionalProperties))),
	].filter(Boolean).reduce((box, part) => (box.append(part), box), el("div"));
}

function variantList(doc, v, read) {
	return el("ol", { class: "variants" }, v.variants.map((schema, i) => {
		const x = view(doc, schema);
		return el("li", null,
			el("div", { class: "field-head" }, el("span", { class: "field-name", text: x.name || `Variant ${i + 1}` }),
				el("span", { class: "field-type", text: typeLabel(doc, x) })),
			x.schema.description && el("div", { class: "prose small" }, markdown(text(x.schema.description), 5)),
			facts(doc, x), enumList(x), x.kind === "object" && x.properties.length ? disclosure(`Show ${x.properties.length} members`, "Hide members", () => members(doc, x, read)) : next(doc, x, read));
	}));
}

function tuple(doc, v, read) {
	return fieldList(doc, v.schema.items.map((schema, i) => ({ name: String(i), schema, required: read })), read);
}

// typeBlock is what a call answers, its first level open.
function typeBlock(doc, schema, description) {
	const v = view(doc, schema);
	const words = description || text(v.schema.description);
	const target = inside(doc, v);
	return el("div", { class: "type-block" },
		el("p", { class: "type-line" }, el("span", { class: "field-type", text: typeLabel(doc, v) })),
		words && el("div", { class: "prose small", lang: doc.language || null }, markdown(words, 5)),
		facts(doc, v), enumList(v),
		target.kind === "object" && target.properties.length ? members(doc, target, true) : target.kind === "choice" ? variantList(doc, target, true) : next(doc, v, true));
}

// sourceButton shows a part of the document as it is.
function sourceButton(value, label = "Show schema") {
	return disclosure(label, label.replace("Show", "Hide"), () => codeBlock(print(value), "json", "Schema"), { class: "more quiet" });
}
