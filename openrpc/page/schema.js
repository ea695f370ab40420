// view reads a schema, one level of it: references are followed, allOf is
// joined, null is taken out of unions. Whoever wants the next level asks again,
// so recursion never runs away.

// view answers { kind, name, nullable, schema, … }; kind is object, map, array,
// choice, enum, string, number, integer, boolean, null, any or never.
function view(doc, schema) {
	if (schema === false) return { kind: "never", schema: {}, facts: [] };
	if (!isObject(schema)) return { kind: "any", schema: {}, facts: [] };
	const flat = flatten(doc, schema, new Set());
	let nullable = flat.schema.nullable === true;
	let types = list(flat.schema.type).length ? [...flat.schema.type] : flat.schema.type ? [flat.schema.type] : [];
	if (types.length > 1 && types.includes("null")) {
		nullable = true;
		types = types.filter((t) => t !== "null");
	}
	let variants = list(flat.schema.oneOf).length ? flat.schema.oneOf : list(flat.schema.anyOf);
	const others = variants.filter((v) => !isNull(doc, v));
	if (others.length < variants.length) nullable = true;
	if (others.length === 1) {
		const { oneOf, anyOf, ...rest } = flat.schema;
		const inner = view(doc, merge(others[0], rest));
		return { ...inner, nullable: nullable || inner.nullable, name: inner.name || flat.name || refName(others[0]) };
	}
	const { type, properties, required } = flat.schema;
	const shared = Object.fromEntries(Object.entries({ type, properties, required }).filter(([, x]) => x !== undefined));
	variants = others.length > 1 && !hasOwnShape(flat.schema) ? others.map((x) => merge(x, shared)) : [];
	if (!variants.length && types.length > 1) variants = types.map((type) => ({ ...flat.schema, type, nullable: false }));
	const out = { ...flat, nullable, variants, type: types[0] };
	out.kind = kindOf(out);
	out.required = new Set(list(flat.schema.required));
	out.properties = Object.entries(isObject(flat.schema.properties) ? flat.schema.properties : {});
	return out;
}

// hasOwnShape: properties beside oneOf are more telling than its variants,
// which then only say which of them go together.
function hasOwnShape(s) {
	return isObject(s.properties) && list(s.oneOf ?? s.anyOf).every((v) => isObject(v) && !v.properties && !v.$ref && !v.type);
}

function kindOf({ schema: s, variants, type }) {
	if (own(s, "const") !== undefined || list(s.enum).length) return "enum";
	if (variants.length) return "choice";
	if (type) return type === "object" && !isObject(s.properties) && isMap(s) ? "map" : type;
	if (isObject(s.properties)) return "object";
	if (isObject(s.items) || Array.isArray(s.items)) return "array";
	if (isObject(s.additionalProperties)) return "map";
	return "any";
}

function isMap(s) {
	return isObject(s.additionalProperties) || s.additionalProperties === true || isObject(s.patternProperties) || s.additionalProperties === undefined;
}

function isNull(doc, schema) {
	const s = doc.follow(schema);
	return isObject(s) && (s.type === "null" || own(s, "const") === null);
}

// flatten follows references and joins allOf; what stands beside a reference
// counts more than what it leads to.
function flatten(doc, schema, seen) {
	if (!isObject(schema) || seen.has(schema)) return { schema: {}, name: "" };
	seen.add(schema);
	let { $ref, allOf, ...rest } = schema;
	let name = "";
	for (const part of [$ref === undefined ? null : { ref: $ref }, ...list(allOf)]) {
		if (part === null) continue;
		const target = part.ref === undefined ? part : doc.at(part.ref);
		if (part.ref !== undefined) name = refName({ $ref: part.ref });
		if (part.ref !== undefined && target === undefined) {
			rest = { ...rest, description: rest.description ?? `Defined in ${part.ref}` };
			continue;
		}
		const inner = flatten(doc, target, seen);
		name ||= list(allOf).length === 1 ? inner.name : "";
		rest = join(inner.schema, rest);
	}
	return { schema: rest, name: name || text(own(rest, "title")) };
}

// join puts what more says over base.
function join(base, more) {
	const out = { ...base, ...more };
	if (isObject(base.properties) && isObject(more.properties)) out.properties = { ...base.properties, ...more.properties };
	if (base.required || more.required) out.required = [...new Set([...list(base.required), ...list(more.required)])];
	return out;
}

// merge is a variant with what stands beside the union it came from.
function merge(variant, { nullable: _, ...more }) {
	return Object.keys(more).length ? { ...more, allOf: [...list(more.allOf), variant] } : variant;
}

function refName(schema) {
	const ref = text(own(schema, "$ref"));
	return ref.slice(ref.lastIndexOf("/") + 1);
}

// typeLabel is a type in few words: array of Product, string or null.
function typeLabel(doc, v, depth = 0) {
	const label = bareLabel(doc, v, depth);
	return v.nullable ? label + " or null" : label;
}

function bareLabel(doc, v, depth) {
	const s = v.schema;
	switch (v.kind) {
	case "array": {
		if (Array.isArray(s.items)) return "tuple";
		return depth > 2 ? "array" : "array of " + typeLabel(doc, view(doc, s.items), depth + 1);
	}
	case "map": {
		const value = isObject(s.additionalProperties) ? s.additionalProperties : Object.values(s.patternProperties ?? {})[0];
		return v.name || (value && depth <= 2 ? "map of " + typeLabel(doc, view(doc, value), depth + 1) : "object");
	}
	case "object": return v.name || "object";
	case "choice": {
		if (v.name) return v.name;
		const names = v.variants.map((x) => (depth > 1 ? "…" : typeLabel(doc, view(doc, x), depth + 1)));
		return [...new Set(names)].slice(0, 4).join(" or ") + (names.length > 4 ? " or …" : "");
	}
	case "enum": return v.name || (own(s, "const") !== undefined ? "constant" : `${v.type ?? "one"} enum`);
	case "integer": case "number": case "string": return s.format ? `${v.kind} (${s.format})` : v.kind;
	default: return v.kind === "any" ? v.name || "any value" : v.kind === "never" ? "no value" : v.kind;
	}
}

// limits are the constraints of a schema, each in words.
function limits(v) {
	const s = v.schema, out = [];
	const say = (name, words) => {
		const value = own(s, name);
		if (value !== undefined && value !== false) out.push(words(value instanceof Num ? value.text : value));
	};
	say("minimum", (n) => (s.exclusiveMinimum === true ? `> ${n}` : `≥ ${n}`));
	if (s.exclusiveMinimum instanceof Num) say("exclusiveMinimum", (n) => `> ${n}`);
	say("maximum", (n) => (s.exclusiveMaximum === true ? `< ${n}` : `≤ ${n}`));
	if (s.exclusiveMaximum instanceof Num) say("exclusiveMaximum", (n) => `< ${n}`);
	say("multipleOf", (n) => `multiple of ${n}`);
	const span = (low, high, one, many) => {
		const a = own(s, low)?.text, b = own(s, high)?.text;
		const unit = (n) => (n === "1" ? one : many);
		if (a !== undefined && a === b) out.push(`${a} ${unit(a)}`);
		else if (a !== undefined && b !== undefined) out.push(`${a} to ${b} ${many}`);
		else if (a !== undefined) out.push(`at least ${a} ${unit(a)}`);
		else if (b !== undefined) out.push(`at most ${b} ${unit(b)}`);
	};
	span("minLength", "maxLength", "character", "characters");
	span("minItems", "maxItems", "item", "items");
	span("minProperties", "maxProperties", "member", "members");
	say("uniqueItems", () => "all different");
	say("pattern", (p) => `matches ${p}`);
	say("contentEncoding", (c) => c);
	say("contentMediaType", (c) => c);
	say("x-validate", (r) => `rule: ${r}`);
	return out;
}

// inside is the schema whose members a reader opens: of an object, of the items
// of an array, of the values of a map.
function inside(doc, v) {
	for (let depth = 0; depth < 8; depth++) {
		if (v.kind === "array" && isObject(v.schema.items)) v = view(doc, v.schema.items);
		else if (v.kind === "map" && isObject(v.schema.additionalProperties)) v = view(doc, v.schema.additionalProperties);
		else break;
	}
	return v;
}

// opens reports whether there is a next level to show: variants that are bare
// types are said already.
function opens(doc, v) {
	return (v.kind === "object" && v.properties.length > 0) || (v.kind === "choice" && v.variants.some((s) => telling(view(doc, s)))) || (v.kind === "array" && Array.isArray(v.schema.items));
}

function telling(v) {
	return !["string", "number", "integer", "boolean", "any"].includes(v.kind) || limits(v).length > 0 || text(v.schema.description) !== "";
}
