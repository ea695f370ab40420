// JSON whose numbers stay as they are written: 9007199254740993 is not what a
// JavaScript number makes of it.
class Num {
	constructor(text) {
		this.text = text;
	}
}

const numberText = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

// parse reads JSON; browsers without the source of a value round numbers.
function parse(text) {
	return JSON.parse(text, (_, value, context) =>
		typeof value === "number" ? new Num(context?.source ?? JSON.stringify(value)) : value);
}

// print writes a value, indented unless indent is empty.
function print(value, indent = "  ", margin = "") {
	if (value instanceof Num) return value.text;
	if (value === undefined) return "null";
	if (value === null || typeof value !== "object") return JSON.stringify(value);
	const list = Array.isArray(value);
	const inner = margin + indent;
	const members = list
		? value.map((v) => print(v, indent, inner))
		: Object.entries(value).filter(([, v]) => v !== undefined)
			.map(([k, v]) => JSON.stringify(k) + (indent ? ": " : ":") + print(v, indent, inner));
	const [open, close] = list ? "[]" : "{}";
	if (!members.length) return open + close;
	if (!indent) return open + members.join(",") + close;
	// Short lists of plain values read better on one line.
	const short = list && value.every((v) => v === null || typeof v !== "object" || v instanceof Num) && members.join(", ").length < 60;
	if (short) return open + members.join(", ") + close;
	return `${open}\n${inner}${members.join(",\n" + inner)}\n${margin}${close}`;
}

// pretty indents JSON text; what is not JSON stays as it is.
function pretty(text) {
	try {
		return print(parse(text));
	} catch {
		return text;
	}
}

const isObject = (v) => v !== null && typeof v === "object" && !Array.isArray(v) && !(v instanceof Num);

// own is a member of an object, never one it inherits.
const own = (object, name) => (isObject(object) && Object.hasOwn(object, name) ? object[name] : undefined);
