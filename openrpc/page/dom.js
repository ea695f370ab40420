// Everything on the page is made here: elements, attributes and text nodes.
// What a document says becomes text and never markup.

// el makes an element. Props: class, text, on (event listeners), and
// attributes; false, null and undefined leave an attribute out.
function el(tag, props, ...children) {
	const node = document.createElement(tag);
	for (const [name, value] of Object.entries(props ?? {})) {
		if (value === false || value === null || value === undefined) continue;
		if (name === "class") node.className = value;
		else if (name === "text") node.textContent = value;
		else if (name === "on") for (const [event, act] of Object.entries(value)) node.addEventListener(event, act);
		else node.setAttribute(name, value === true ? "" : value);
	}
	node.append(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false));
	return node;
}

let lastID = 0;

// freshID is an id that no other element has.
function freshID(kind) {
	return `${kind}-${++lastID}`;
}

// button makes a button that does something on this page.
function button(props, ...children) {
	return el("button", { type: "button", ...props }, ...children);
}

// live tells screen readers what happened.
const live = el("div", { class: "hidden", role: "status", "aria-live": "polite" });

function announce(text) {
	live.textContent = "";
	live.textContent = text;
}

// tabs is a tab list over panels: [{ id, label, panel() }]. A panel is made
// when it is opened first. With one, all entries share it and change fills it.
function tabs({ label, entries, selected, change, one, kind = "tabs" }) {
	const list = el("div", { class: kind, role: "tablist", "aria-label": label });
	const body = el("div", { class: kind + "-body" });
	const made = new Map();
	const choose = (id, focus) => {
		for (const e of entries) {
			const on = e.id === id;
			e.tab.setAttribute("aria-selected", String(on));
			e.tab.tabIndex = on ? 0 : -1;
			if (on && focus) e.tab.focus();
			if (on && one) one.setAttribute("aria-labelledby", e.tab.id);
			if (on && !one && !made.has(id)) {
				const panel = el("div", { role: "tabpanel", id: e.panelID, "aria-labelledby": e.tab.id }, e.panel());
				made.set(id, panel);
				body.append(panel);
			}
			if (made.has(e.id)) made.get(e.id).hidden = !on;
		}
		change?.(id);
	};
	entries.forEach((e, i) => {
		e.panelID = one?.id ?? freshID("panel");
		e.tab = button({
			role: "tab", id: freshID("tab"), "aria-controls": e.panelID,
			on: {
				click: () => choose(e.id),
				keydown: (event) => {
					const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
					if (!step) return;
					event.preventDefault();
					choose(entries[(i + step + entries.length) % entries.length].id, true);
				},
			},
		}, e.label);
		list.append(e.tab);
	});
	choose(selected ?? entries[0].id);
	return { list, body, choose };
}

// disclosure is a button that shows what make() makes when it is opened first.
function disclosure(closed, opened, make, props) {
	const id = freshID("more");
	const place = el("div", { id, class: "more-body", hidden: true });
	const words = el("span", { text: closed });
	const toggle = button({
		class: "more", "aria-expanded": "false", "aria-controls": id, ...props,
		on: {
			click: () => {
				const open = place.hidden;
				if (open && !place.firstChild) place.append(make());
				place.hidden = !open;
				toggle.setAttribute("aria-expanded", String(open));
				words.textContent = open ? opened : closed;
			},
		},
	}, icon("chevron"), words);
	return [toggle, place];
}

// copyButton copies what text() says at the moment of the click.
function copyButton(text, label = "Copy") {
	const b = button({ class: "icon-button copy", title: label, "aria-label": label }, icon("copy"));
	b.addEventListener("click", async () => {
		const done = await copy(text());
		b.replaceChildren(icon(done ? "check" : "close"));
		announce(done ? "Copied" : "The browser did not let the page copy");
		setTimeout(() => b.replaceChildren(icon("copy")), 1500);
	});
	return b;
}

// copy puts text on the clipboard; pages without TLS have only the old way.
async function copy(text) {
	try {
		await navigator.clipboard.writeText(text);
		return true;
	} catch {
		const area = el("textarea", { class: "hidden", "aria-hidden": "true" });
		area.value = text;
		document.body.append(area);
		area.select();
		const done = document.execCommand("copy");
		area.remove();
		return done;
	}
}
