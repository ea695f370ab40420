// Descriptions are paragraphs, lists, headings, code and links, as Go comments
// and CommonMark have them; anything else stays the text it is.

// markdown renders text as nodes. Headings begin at level.
function markdown(text, level = 3) {
	const lines = String(text ?? "").replace(/\r\n?/g, "\n").split("\n");
	const out = [];
	for (let i = 0; i < lines.length;) {
		const line = lines[i];
		const fence = /^\s{0,3}(```+|~~~+)\s*(\S*)/.exec(line);
		if (!line.trim()) {
			i++;
		} else if (fence) {
			const end = lines.findIndex((l, n) => n > i && l.trim().startsWith(fence[1]));
			const stop = end < 0 ? lines.length : end;
			out.push(pre(lines.slice(i + 1, stop).join("\n")));
			i = stop + 1;
		} else if (/^(\t| {4})/.test(line)) {
			let j = i;
			while (j < lines.length && (/^(\t| {4})/.test(lines[j]) || (!lines[j].trim() && /^(\t| {4})/.test(lines[j + 1] ?? "")))) j++;
			out.push(pre(lines.slice(i, j).map((l) => l.replace(/^(\t| {4})/, "")).join("\n")));
			i = j;
		} else if (/^#{1,6}\s/.test(line)) {
			const [, marks, words] = /^(#+)\s+(.*?)\s*#*$/.exec(line);
			out.push(el("h" + Math.min(6, level + marks.length - 1), null, inline(words)));
			i++;
		} else if (isItem(line)) {
			const ordered = /^\s*\d/.test(line);
			const items = [];
			while (i < lines.length && lines[i].trim()) {
				if (isItem(lines[i])) items.push(lines[i].replace(/^\s*([-*+•]|\d+[.)])\s+/, ""));
				else items[items.length - 1] += " " + lines[i].trim();
				i++;
			}
			out.push(el(ordered ? "ol" : "ul", null, items.map((t) => el("li", null, inline(t)))));
		} else if (/^\s*>/.test(line)) {
			let j = i;
			while (j < lines.length && /^\s*>/.test(lines[j])) j++;
			out.push(el("blockquote", null, markdown(lines.slice(i, j).map((l) => l.replace(/^\s*> ?/, "")).join("\n"), level)));
			i = j;
		} else {
			let j = i;
			while (j < lines.length && lines[j].trim() && !(j > i && (isItem(lines[j]) || /^\s{0,3}(```|~~~|#{1,6}\s|>)/.test(lines[j])))) j++;
			out.push(el("p", null, inline(lines.slice(i, j).join("\n"))));
			i = j;
		}
	}
	return out;
}

function isItem(line) {
	return /^\s*([-*+•]|\d+[.)])\s+\S/.test(line);
}

function pre(code) {
	return el("pre", { class: "plain" }, el("code", { text: code }));
}

const inlineMark = /`([^`\n]+)`|\*\*([^*\n]+)\*\*|__([^_\n]+)__|\*([^*\s][^*\n]*)\*|\[([^\]\n]+)\]\(([^()\s]+)\)|(https?:\/\/[^\s<>()"']*[^\s<>()"'.,;:!?])/;

// inline renders what stands inside a line.
function inline(text) {
	const out = [];
	for (let rest = text; rest;) {
		const m = inlineMark.exec(rest);
		if (!m) {
			out.push(rest);
			break;
		}
		if (m.index) out.push(rest.slice(0, m.index));
		const [all, code, bold, bold2, italic, words, target, address] = m;
		if (code !== undefined) out.push(el("code", { text: code }));
		else if (bold ?? bold2) out.push(el("strong", null, inline(bold ?? bold2)));
		else if (italic) out.push(el("em", null, inline(italic)));
		else if (address) out.push(anchor(address, address));
		else out.push(anchor(target, words));
		rest = rest.slice(m.index + all.length);
	}
	return out;
}

// anchor is a link to another page, or plain text when the address could do
// anything but open one.
function anchor(address, words) {
	if (!/^(https?:\/\/|mailto:)/i.test(String(address))) return el("span", { text: words });
	return el("a", { href: address, rel: "noopener noreferrer", target: "_blank", text: words });
}

// firstSentence is what a list shows of a description.
function firstSentence(text) {
	const line = String(text ?? "").split(/\n\s*\n/)[0].replace(/\s+/g, " ").replace(/[`*]/g, "");
	return /^.*?[.!?](?=\s|$)/.exec(line)?.[0] ?? line;
}
