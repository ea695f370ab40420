// What came back: whether it went well, how long it took, headers, body.

// answerView shows an answer. refuse shows violations at their fields.
function answerView(answer, refuse) {
	const failed = answer.error || answer.status >= 400 || (!answer.json && answer.status !== 204);
	const violations = list(own(own(answer.error, "data"), "violations")).filter(isObject);
	for (const x of violations) refuse(text(x.pointer), text(x.message));
	return el("div", { class: failed ? "answer failed" : "answer" },
		el("div", { class: "answer-line" },
			el("span", { class: "status " + (answer.status >= 400 ? "bad" : answer.error ? "warn" : "good"), text: `${answer.status}${answer.statusText ? " " + answer.statusText : ""}` }),
			el("span", { class: "metric", title: "From sending to the last byte", text: duration(answer.took) }),
			el("span", { class: "metric", title: "Size of the body", text: bytes(answer.size) })),
		answer.error && errorSummary(answer.error, violations),
		!answer.json && answer.status !== 204 && el("p", { class: "answer-note", text: "The body is not JSON." }),
		codeBlock(pretty(answer.text) || "(no body)", answer.json ? "json" : "", "Response"),
		disclosure(`Headers (${answer.headers.length})`, `Headers (${answer.headers.length})`, () => headerTable(answer.headers), { class: "more on-dark" }));
}

function errorSummary(error, violations) {
	const kind = text(own(own(error, "data"), "exception"));
	return el("div", { class: "answer-error" },
		el("p", null, el("strong", { text: print(error.code ?? null) }), " ", kind && el("span", { class: "kind", text: kind }), " ", el("span", { text: text(error.message) })),
		violations.length ? el("ul", null, violations.map((x) => el("li", null, el("code", { text: text(x.pointer) || "/" }), " ", text(x.message)))) : null);
}

function headerTable(headers) {
	return el("table", { class: "headers" },
		el("caption", { class: "hidden", text: "Headers of the response" }),
		el("tbody", null, headers.map(([name, value]) => el("tr", null, el("th", { scope: "row", text: name }), el("td", { text: value })))));
}
