// sidebar is the way around: search, group and version, methods by tag.
function sidebar(app) {
	const { doc } = app;
	const links = new Map();
	const nav = el("nav", { class: "nav", "aria-label": "Methods" },
		el("a", { class: "nav-link nav-home", href: "#", text: "Overview" }),
		doc.groups().map((g) => {
			const id = freshID("tag");
			return el("div", { class: "nav-group" }, el("h2", { id, text: g.name }),
				el("ul", { "aria-labelledby": id }, g.methods.map((m) => {
					const a = el("a", { class: m.deprecated ? "nav-link struck" : "nav-link", href: hashOf(m.name), title: m.title || null }, shortName(m.name, g.name));
					links.set(m.name, [...(links.get(m.name) ?? []), a]);
					return el("li", null, a);
				})));
		}));
	const search = searchBox(app, nav);
	return {
		node: el("div", { class: "side", id: "side" }, search.node, choosers(app), search.results, nav),
		focusSearch: search.focus,
		// mark shows where the reader is.
		mark: (name) => {
			for (const a of nav.querySelectorAll("[aria-current]")) a.removeAttribute("aria-current");
			const here = name ? links.get(name)?.[0] : nav.querySelector(".nav-home");
			here?.setAttribute("aria-current", "page");
			here?.scrollIntoView({ block: "nearest" });
		},
	};
}

// shortName leaves out what the heading above says already.
function shortName(name, tag) {
	if (!name.startsWith(tag + ".")) return name;
	return [el("span", { class: "hidden", text: tag + "." }), name.slice(tag.length + 1)];
}

// choosers choose the group and the version when there are several.
function choosers(app) {
	const all = app.settings.documents, now = app.listed;
	if (all.length < 2) return null;
	const choose = (label, options, selected, change) => {
		const id = freshID("choose");
		const control = el("select", { class: "control", id, on: { change: () => change(control.value) } },
			options.map(([value, words]) => el("option", { value, selected: value === selected, text: words })));
		return el("div", { class: "chooser" }, el("label", { for: id, text: label }), el("div", { class: "select" }, control, icon("chevron")));
	};
	if (!all.every((d) => d.group && d.version)) {
		return el("div", { class: "choosers" }, choose("Document", all.map((d) => [d.name, d.name]), now.name, (name) => app.open(name)));
	}
	const groups = [...new Set(all.map((d) => d.group))];
	const versions = all.filter((d) => d.group === now.group);
	return el("div", { class: "choosers" },
		groups.length > 1 && choose("Group", groups.map((g) => [g, g]), now.group, (g) => {
			const same = all.find((d) => d.group === g && d.version === now.version);
			app.open((same ?? all.find((d) => d.group === g)).name);
		}),
		choose("Version", versions.map((d) => [d.name, "v" + d.version]), now.name, (name) => app.open(name)));
}
