// A loaded OpenRPC document, with references followed inside of it. Nothing is
// fetched but the document itself.
class Doc {
	constructor(root, listed, language) {
		this.root = root;
		this.listed = listed;
		this.language = language;
		this.methods = list(root.methods).map((m) => this.follow(m)).filter((m) => isObject(m) && typeof m.name === "string")
			.map((m) => this.method(m));
		this.byName = new Map(this.methods.map((m) => [m.name, m]));
	}

	// at is what a JSON pointer in a reference such as #/components/schemas/Pet
	// leads to; undefined outside of the document.
	at(ref) {
		if (ref === "#") return this.root;
		if (typeof ref !== "string" || !ref.startsWith("#/")) return undefined;
		let here = this.root;
		for (const part of ref.slice(2).split("/")) {
			let name = part;
			try {
				name = decodeURIComponent(part);
			} catch { /* not encoded, though it has a % */ }
			name = name.replaceAll("~1", "/").replaceAll("~0", "~");
			here = Array.isArray(here) ? here[name] : own(here, name);
		}
		return here;
	}

	// follow is the object that a chain of references ends at.
	follow(object) {
		const seen = new Set();
		while (isObject(object) && typeof object.$ref === "string" && !seen.has(object)) {
			seen.add(object);
			object = this.at(object.$ref);
		}
		return object;
	}

	// method reads a Method Object, whatever a careless document left out.
	method(m) {
		const descriptor = (d) => {
			const found = this.follow(d);
			return isObject(found) ? found : {};
		};
		return {
			source: m,
			name: m.name,
			title: text(m.summary),
			...deprecation(text(m.description), m.deprecated === true),
			tags: list(m.tags).map((t) => text(own(this.follow(t), "name"))).filter(Boolean),
			byPosition: m.paramStructure === "by-position",
			structure: text(m.paramStructure) || "either",
			params: list(m.params).map(descriptor).map((d, i) => ({
				name: text(d.name) || `param${i + 1}`, title: text(d.summary), required: d.required === true,
				schema: d.schema ?? {}, ...deprecation(text(d.description), d.deprecated === true),
			})),
			result: m.result ? descriptor(m.result) : null,
			errors: list(m.errors).map((e) => this.follow(e)).filter(isObject),
			examples: list(m.examples).map((e) => this.follow(e)).filter(isObject).map((e) => this.pairing(e)),
			links: list(m.links).map((l) => this.follow(l)).filter(isObject),
			docs: isObject(m.externalDocs) ? m.externalDocs : null,
			server: serverURL(list(m.servers)[0]),
		};
	}

	// pairing reads an Example Pairing Object. An example without a result is
	// of a notification.
	pairing(e) {
		return {
			name: text(e.name), title: text(e.summary), description: text(e.description),
			params: list(e.params).map((p) => this.follow(p)).filter(isObject).map((p) => ({ name: text(p.name), value: p.value })),
			result: isObject(e.result) ? this.follow(e.result) : null,
		};
	}

	// groups are the methods by tag; those without one by what stands before
	// the last dot of their names. Tags are in the order they come up in.
	groups() {
		const found = new Map();
		for (const m of this.methods) {
			const names = m.tags.length ? m.tags : [m.name.includes(".") ? m.name.slice(0, m.name.lastIndexOf(".")) : "Methods"];
			for (const name of names) {
				if (!found.has(name)) found.set(name, []);
				found.get(name).push(m);
			}
		}
		return [...found].map(([name, methods]) => ({ name, methods, about: this.tag(name) }));
	}

	// tag is the Tag Object of that name, if one has more than a name.
	tag(name) {
		const tags = [...list(this.root.tags), ...Object.values(own(own(this.root, "components"), "tags") ?? {}),
			...this.methods.flatMap((m) => list(m.source.tags))];
		return tags.map((t) => this.follow(t)).find((t) => own(t, "name") === name && t.description) ?? null;
	}

	// target is where calls of a method go to, and what snippets show: the
	// same place, absolute.
	target(method) {
		const named = method?.server || serverURL(list(this.root.servers)[0]);
		const call = this.listed.rpc ? absolute(this.listed.rpc) : named && absolute(named, this.url());
		return { call, shown: (named && absolute(named, this.url())) || call || "" };
	}

	url() {
		return absolute(this.listed.url);
	}
}

// list is an array, empty for anything else.
function list(value) {
	return Array.isArray(value) ? value : [];
}

function text(value) {
	return typeof value === "string" ? value : "";
}

// absolute resolves an address against the page, or a base.
function absolute(address, base = location.href) {
	try {
		return new URL(address, base).href;
	} catch {
		return "";
	}
}

// serverURL is the address of a Server Object with the defaults of its
// variables; empty for one that is no URL of the web.
function serverURL(server) {
	const at = text(own(server, "url")).replace(/\$?\{\{?([^{}]+)\}?\}/g,
		(all, name) => text(own(own(own(server, "variables"), name.trim()), "default")) || all);
	return at.includes("{") ? "" : at;
}

// deprecation takes what to use instead out of a description: the paragraph
// that Go comments have for it.
function deprecation(description, flag) {
	const m = /(?:^|\n\n)Deprecated: ([^]*?)(?=\n\n|$)/.exec(description);
	if (!m) return { description, deprecated: flag, instead: "" };
	return { description: (description.slice(0, m.index) + description.slice(m.index + m[0].length)).trim(), deprecated: true, instead: m[1] };
}

// load fetches a document in the browser's languages. Failures say what to do.
async function load(listed, token) {
	let answer, body;
	try {
		answer = await fetch(listed.url, { headers: { Accept: "application/json", ...token.headers() }, cache: "no-cache", credentials: "omit", redirect: "follow" });
		body = await answer.text();
	} catch (e) {
		throw new Failure("offline", "The document could not be fetched", `${absolute(listed.url)} does not answer, or does not let this page read it. (${e.message})`);
	}
	let root;
	try {
		root = parse(body);
	} catch { /* judged below */ }
	if (answer.status === 401 || answer.status === 403) {
		throw new Failure("token", "", text(own(own(root, "error"), "message")), answer.status);
	}
	if (!answer.ok) {
		throw new Failure("status", `The server answered ${answer.status}`, text(own(own(root, "error"), "message")) || body.slice(0, 300));
	}
	if (!isObject(root) || !(typeof root.openrpc === "string" || Array.isArray(root.methods))) {
		throw new Failure("shape", "This is not an OpenRPC document", `${absolute(listed.url)} answers something else: ${body.slice(0, 200)}`);
	}
	return new Doc(root, listed, answer.headers.get("Content-Language") ?? "");
}

class Failure extends Error {
	constructor(kind, title, message, status) {
		super(message);
		this.kind = kind;
		this.title = title;
		this.status = status;
	}
}
