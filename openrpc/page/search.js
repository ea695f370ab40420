// searchBox finds methods by name, title, text, tags and parameters, without
// the mouse: / or Ctrl+K goes there, arrows move, Enter opens, Escape leaves.
function searchBox(app, nav) {
	const id = freshID("results");
	let hits = [], at = 0;
	const input = el("input", {
		class: "control", id: "search", type: "search", placeholder: "Search methods", autocomplete: "off", spellcheck: "false",
		role: "combobox", "aria-label": "Search methods", "aria-expanded": "false", "aria-controls": id, "aria-autocomplete": "list",
		on: { input: () => update(), keydown: (event) => key(event) },
	});
	const results = el("ul", { class: "results", id, role: "listbox", "aria-label": "Methods found", hidden: true });
	const update = () => {
		const words = input.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
		hits = words.length ? find(app.doc, words) : [];
		at = 0;
		results.hidden = !words.length;
		nav.hidden = words.length > 0;
		input.setAttribute("aria-expanded", String(words.length > 0));
		results.replaceChildren(...hits.map((hit, i) => el("li", { role: "option", id: `${id}-${i}`, on: { click: () => go(i) } },
			el("span", { class: hit.method.deprecated ? "hit-name struck" : "hit-name" }, marked(hit.method.name, words)),
			hit.note && el("span", { class: "hit-note" }, marked(hit.note, words)))));
		if (words.length && !hits.length) results.append(el("li", { class: "muted none", text: "No method is like that." }));
		point();
		if (words.length) announce(`${hits.length} found`);
	};
	const point = () => {
		[...results.children].forEach((li, i) => li.setAttribute("aria-selected", String(i === at && hits.length > 0)));
		if (hits.length) {
			input.setAttribute("aria-activedescendant", `${id}-${at}`);
			results.children[at].scrollIntoView({ block: "nearest" });
		} else {
			input.removeAttribute("aria-activedescendant");
		}
	};
	const leave = () => {
		input.value = "";
		update();
	};
	const go = (i) => {
		const hit = hits[i];
		if (!hit) return;
		leave();
		input.blur();
		app.go(hit.method.name);
	};
	const key = (event) => {
		const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
		if (step && hits.length) {
			event.preventDefault();
			at = (at + step + hits.length) % hits.length;
			point();
		} else if (event.key === "Enter") {
			event.preventDefault();
			go(at);
		} else if (event.key === "Escape") {
			event.preventDefault();
			const empty = !input.value;
			leave();
			if (empty) input.blur();
		}
	};
	return {
		node: el("div", { class: "search" }, icon("search"), input, el("kbd", { "aria-hidden": "true", text: "/" })),
		results,
		focus: () => { input.focus(); input.select(); },
	};
}

// find ranks the methods that have all the words somewhere.
function find(doc, words) {
	const found = [];
	for (const method of doc.methods) {
		let score = 0, note = method.title && method.title !== method.name ? method.title : "";
		const every = words.every((w) => {
			const [points, place] = rate(method, w);
			score += points;
			if (place) note = place;
			return points > 0;
		});
		if (every) found.push({ method, score, note });
	}
	return found.sort((a, b) => b.score - a.score).slice(0, 50);
}

// rate is how well a word fits a method, and where it was found when that is
// not to be seen in its name or title.
function rate(method, word) {
	const name = method.name.toLowerCase(), last = name.slice(name.lastIndexOf(".") + 1);
	if (name === word || last === word) return [100, ""];
	if (name.startsWith(word) || last.startsWith(word)) return [80, ""];
	if (name.includes(word)) return [60, ""];
	if (method.title.toLowerCase().includes(word)) return [50, ""];
	const param = method.params.find((p) => p.name.toLowerCase().includes(word));
	if (param) return [30, `parameter ${param.name}`];
	const tag = method.tags.find((t) => t.toLowerCase().includes(word));
	if (tag) return [25, ""];
	if (method.description.toLowerCase().includes(word)) return [20, excerpt(method.description, word)];
	let i = 0;
	for (const c of name) if (c === word[i]) i++;
	return i === word.length && word.length > 2 ? [5, ""] : [0, ""];
}

function excerpt(description, word) {
	const flat = description.replace(/\s+/g, " "), i = flat.toLowerCase().indexOf(word);
	const from = Math.max(0, i - 24);
	return (from ? "…" : "") + flat.slice(from, i + 56) + (i + 56 < flat.length ? "…" : "");
}

// marked is text with the words in it marked.
function marked(t, words) {
	const out = [], low = t.toLowerCase();
	for (let i = 0; i < t.length;) {
		const word = words.find((w) => low.startsWith(w, i));
		if (word) out.push(el("mark", { text: t.slice(i, i + word.length) }));
		else if (typeof out.at(-1) === "string") out[out.length - 1] += t[i];
		else out.push(t[i]);
		i += word?.length ?? 1;
	}
	return out;
}
