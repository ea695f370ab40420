// Samples are values made from schemas: for the form to begin with, and to show
// what a result looks like.

// sample is an example of a schema. With words, strings without an example say
// what they are; without, they are empty, for people to fill in.
function sample(doc, schema, { words, all }, path = []) {
	const v = view(doc, schema), s = v.schema;
	const given = own(s, "example") ?? list(s.examples)[0] ?? own(s, "default") ?? own(s, "const");
	if (given !== undefined) return given;
	if (list(s.enum).length) return s.enum.find((x) => x !== null) ?? s.enum[0];
	// A type inside itself ends here.
	if (path.length > 12 || path.filter((p) => p === s.properties && p).length > 0) return v.nullable ? null : v.kind === "array" ? [] : v.kind === "object" ? {} : null;
	const deeper = s.properties ? [...path, s.properties] : [...path, null];
	switch (v.kind) {
	case "object": {
		const out = {};
		for (const [name, p] of v.properties) {
			if (!all && !v.required.has(name)) continue;
			define(out, name, sample(doc, p, { words, all }, deeper));
		}
		return out;
	}
	case "array": {
		if (Array.isArray(s.items)) return s.items.map((x) => sample(doc, x, { words, all }, deeper));
		if (!s.items || (!all && !(Number(s.minItems?.text ?? 0) > 0))) return [];
		const item = sample(doc, s.items, { words, all }, deeper);
		// An item that only ends a recursion says less than an empty list.
		return all && recursive(doc, s.items, path) ? [] : [item];
	}
	case "map": {
		if (!all || !isObject(s.additionalProperties)) return {};
		return { key: sample(doc, s.additionalProperties, { words, all }, deeper) };
	}
	case "choice": return sample(doc, v.variants[0], { words, all }, deeper);
	case "string": return sampleString(s, words);
	case "integer": case "number": return own(s, "minimum") ?? new Num("0");
	case "boolean": return false;
	default: return null;
	}
}

function recursive(doc, schema, path) {
	const p = view(doc, schema).schema.properties;
	return p !== undefined && path.includes(p);
}

// define sets a member whatever its name, __proto__ too.
function define(object, name, value) {
	Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

const formats = {
	"date-time": "2026-01-31T12:00:00Z", date: "2026-01-31", time: "12:00:00Z", duration: "PT1H", email: "anna@example.com",
	uuid: "3f2504e0-4f89-41d3-9a0c-0305e82c3301", uri: "https://example.com", url: "https://example.com", hostname: "example.com",
	ipv4: "192.0.2.1", ipv6: "2001:db8::1",
};

function sampleString(s, words) {
	if (formats[s.format]) return formats[s.format];
	return words ? "string" : "";
}

// firstParams are the params that a form begins with: those of the first
// example, else what is required.
function firstParams(doc, method) {
	if (method.examples.length) return exampleParams(method, method.examples[0]);
	const out = {};
	for (const p of method.params) {
		if (p.required) define(out, p.name, sample(doc, p.schema, { words: false, all: false }));
	}
	return out;
}

// exampleParams are the params of an example by name. Those of a method by
// position may have names of their own.
function exampleParams(method, example) {
	const out = {};
	example.params.forEach((p, i) => {
		const known = method.params.some((x) => x.name === p.name);
		define(out, known ? p.name : method.params[i]?.name ?? p.name, p.value ?? null);
	});
	return out;
}

// firstResult is what a call may answer, and whether an example says so.
function firstResult(doc, method, example) {
	if (example?.result && "value" in example.result) return { value: example.result.value, declared: true };
	if (!method.result) return null;
	return { value: sample(doc, method.result.schema ?? {}, { words: true, all: true }), declared: false };
}

// onWire is params as they are sent: by position when the method wants it.
function onWire(method, params) {
	if (!method.byPosition) return params;
	const values = method.params.map((p) => own(params, p.name));
	while (values.length && values.at(-1) === undefined) values.pop();
	return values.map((v) => (v === undefined ? null : v));
}

// request is the JSON-RPC request of a call.
function request(method, params, id = new Num("1")) {
	const out = { jsonrpc: "2.0", id, method: method.name };
	if (Array.isArray(params) ? params.length : Object.keys(params).length) out.params = params;
	return out;
}
