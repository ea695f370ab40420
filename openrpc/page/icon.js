// Icons are strokes on a grid of 24, drawn here so that none is loaded.
const strokes = {
	search: ["M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14Z", "m20 20-4-4"],
	copy: ["M9 9h11v11H9z", "M5 15H4V4h11v1"],
	check: ["m5 13 4 4L19 7"],
	close: ["m6 6 12 12", "M18 6 6 18"],
	sun: ["M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8Z", "M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6 19 19M5 19l1.4-1.4M17.6 6.4 19 5"],
	moon: ["M20 14.5A8 8 0 0 1 9.5 4a8 8 0 1 0 10.500 10.500Z"],
	auto: ["M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Z", "M12 3v18", "M12 8l6-2M12 13l8.500-2.500M12 18l7-2"],
	key: ["M8 11a4 4 0 1 0 0 8 4 4 0 0 0 0-8Z", "m11 12 9-9M16 7l3 3M13.500 9.500l2 2"],
	menu: ["M4 7h16M4 12h16M4 17h16"],
	link: ["M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1", "M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1"],
	chevron: ["m9 6 6 6-6 6"],
	send: ["M5 12h14M13 6l6 6-6 6"],
	out: ["M14 4h6v6M20 4l-9 9M18 14v6H4V6h6"],
	plus: ["M12 5v14M5 12h14"],
	trash: ["M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13"],
	warning: ["M12 4 2.500 20h19Z", "M12 10v4M12 17v.1"],
	braces: ["M9 4H8a2 2 0 0 0-2 2v4l-2 2 2 2v4a2 2 0 0 0 2 2h1", "M15 4h1a2 2 0 0 1 2 2v4l2 2-2 2v4a2 2 0 0 1-2 2h-1"],
};

function icon(name) {
	const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
	svg.setAttribute("viewBox", "0 0 24 24");
	svg.setAttribute("aria-hidden", "true");
	svg.classList.add("icon", "icon-" + name);
	for (const d of strokes[name]) {
		const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
		path.setAttribute("d", d);
		svg.append(path);
	}
	return svg;
}

// gem is the mark beside the title.
function gem() {
	const svg = icon("check");
	svg.setAttribute("class", "gem");
	svg.replaceChildren();
	for (const [part, d] of [["low", "M12 2 21.500 9 12 22.500 2.500 9z"], ["high", "M12 2 21.500 9h-19z"], ["top", "M12 2 16 9H8z"]]) {
		const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
		path.setAttribute("d", d);
		path.setAttribute("class", "gem-" + part);
		svg.append(path);
	}
	return svg;
}
