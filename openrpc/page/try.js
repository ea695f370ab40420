// tryPanel is the form of a method with its buttons. It tells state.params to
// the snippets, and shows the answer in state.answer.
function tryPanel(app, method, state) {
	const { doc, token, settings } = app;
	const { call: url } = doc.target(method);
	const form = makeForm(doc, method, state.draft.params ?? state.first(), () => keep());
	const keep = () => {
		state.params = form.params();
		state.draft.params = form.named();
		state.changed();
	};
	state.form = form;
	let running = null;
	const sendLabel = el("span", { text: "Send" });
	const sendButton = el("button", { class: "primary", type: "submit" }, icon("send"), sendLabel);
	const note = el("p", { class: "fault", role: "alert", hidden: true });
	const say = (message) => {
		note.hidden = !message;
		note.textContent = message;
	};
	const run = async () => {
		if (running) return running.abort();
		if (!form.ready()) return say("The parameters are not JSON yet.");
		say("");
		form.clear();
		running = new AbortController();
		sendLabel.textContent = "Cancel";
		state.busy();
		try {
			const answer = await send({ url, body: print(request(method, form.params()), ""), token, signal: running.signal });
			let shown = 0;
			state.answer(answerView(answer, (pointer, message) => { if (form.refuse(pointer, message)) shown++; }));
			announce(answer.error ? `Error ${print(answer.error.code ?? null)}: ${text(answer.error.message)}` : `Status ${answer.status}`);
			app.locked ||= answer.status === 401;
			if (answer.status === 401 || answer.status === 403) say(token.set ? "The server refused the token. Give another one with the key at the top." : "This call needs a token. Give one with the key at the top.");
			else if (shown) say(`${shown} ${shown === 1 ? "parameter was" : "parameters were"} refused; see above.`);
		} catch (e) {
			state.idle();
			if (e.name === "AbortError") announce("Cancelled");
			else say(`No answer: ${e.message}. The server may be down, or not let pages of this origin call it.`);
		} finally {
			running = null;
			sendLabel.textContent = "Send";
		}
	};
	const modes = el("div", { class: "segments", role: "group", "aria-label": "How parameters are entered" });
	const mode = (label, asText) => {
		const b = button({ "aria-pressed": String(!asText), on: { click: () => {
			if (!form.show(asText)) return say("The text is not an object by name, so the form cannot show it.");
			say("");
			for (const x of modes.children) x.setAttribute("aria-pressed", String(x === b));
		} } }, label);
		modes.append(b);
	};
	mode("Form", false);
	mode("JSON", true);
	const blocked = url && !reachable(url, settings);
	sendButton.disabled = !url || blocked;
	if (!url) say("The document names no server, so there is nothing to call. The snippets still show the request.");
	else if (blocked) say(`The policy of this page does not let it call ${new URL(url).origin}. Copy the request as curl, or serve the page with that address as its RPC.`);
	return el("form", { class: "try", "aria-label": "Try the method", on: {
		submit: (event) => { event.preventDefault(); run(); },
		keydown: (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); run(); } },
	} },
	el("div", { class: "try-head" }, el("h2", { text: "Parameters" }), modes),
	form.node, note,
	el("div", { class: "try-foot" }, sendButton,
		button({ on: { click: () => { form.set(state.first()); form.clear(); say(""); keep(); } } }, "Reset"),
		el("span", { class: "muted small target" }, url ? ["POST ", el("code", { text: url })] : "")));
}
