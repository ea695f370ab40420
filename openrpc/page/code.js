// Code is coloured token by token, each a text node in a span.
const colours = {
	json: [["key", /"(?:[^"\\]|\\.)*"(?=\s*:)/y], ["string", /"(?:[^"\\]|\\.)*"/y], ["number", /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y], ["word", /\b(?:true|false|null)\b/y]],
	shell: [["string", /'[^']*'|"[^"]*"/y], ["word", /\bcurl\b/y], ["key", /\s-[A-Za-z]\b/y]],
	ts: [["string", /"(?:[^"\\]|\\.)*"|`[^`]*`/y], ["word", /\b(?:const|await|if|throw|new|true|false|null)\b/y], ["number", /\b\d+(?:\.\d+)?\b/y]],
	go: [["string", /"(?:[^"\\]|\\.)*"/y], ["word", /\b(?:package|import|func|if|return|nil|true|false|map|any)\b/y], ["number", /\b\d+(?:\.\d+)?\b/y]],
};

// Text beyond this is not coloured, and beyond the second not shown whole.
const colourLimit = 100_000, showLimit = 1_000_000;

function coloured(code, mode) {
	const out = document.createDocumentFragment();
	const rules = colours[mode];
	if (!rules || code.length > colourLimit) {
		out.append(code.length > showLimit ? code.slice(0, showLimit) + "\n… cut here; Copy takes all of it" : code);
		return out;
	}
	let plain = "";
	for (let at = 0; at < code.length;) {
		let hit = null;
		for (const [kind, rule] of rules) {
			rule.lastIndex = at;
			const m = rule.exec(code);
			if (m) { hit = [kind, m[0]]; break; }
		}
		if (!hit) {
			const word = /[A-Za-z_$][\w$]*/y;
			word.lastIndex = at;
			const m = word.exec(code);
			plain += m ? m[0] : code[at];
			at += m ? m[0].length : 1;
			continue;
		}
		if (plain) out.append(plain);
		plain = "";
		// The body of a curl command is JSON and is read better as such.
		if (mode === "shell" && /^'[{[]/.test(hit[1])) out.append("'", coloured(hit[1].slice(1, -1), "json"), "'");
		else out.append(el("span", { class: "t-" + hit[0], text: hit[1] }));
		at += hit[1].length;
	}
	if (plain) out.append(plain);
	return out;
}

// codeBlock is code with a button that copies it. Long lines scroll, also by
// keyboard.
function codeBlock(code, mode, label) {
	return el("div", { class: "code" },
		el("pre", { tabindex: "0", role: "region", "aria-label": label }, el("code", null, coloured(code, mode))),
		copyButton(() => code, `Copy ${label.toLowerCase()}`));
}
