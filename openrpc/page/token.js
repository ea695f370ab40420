// The token lives in a variable of this page until it is closed: in no storage,
// no address, no log.
class Token {
	#secret = "";
	name = "Authorization";

	get set() { return this.#secret !== ""; }

	// take keeps a token; an answer is what is wrong with it.
	take(secret, name) {
		const bare = secret.trim().replace(/^Bearer\s+/i, "");
		const header = name.trim() || "Authorization";
		if (!/^[\x21-\x7e]*$/.test(bare)) return "A token has no spaces and only ASCII characters.";
		if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(header)) return "That is not the name of a header.";
		this.#secret = bare;
		this.name = /^authorization$/i.test(header) ? "Authorization" : header;
		return "";
	}

	forget() { this.#secret = ""; }

	headers() {
		if (!this.#secret) return {};
		return { [this.name]: this.name === "Authorization" ? `Bearer ${this.#secret}` : this.#secret };
	}
}

// tokenForm asks for a token; done() is called when there is one.
function tokenForm(token, done) {
	const id = freshID("token"), headerID = freshID("header");
	const secret = el("input", { class: "control mono", id, type: "password", autocomplete: "off", spellcheck: "false", placeholder: token.set ? "•••••••• (kept; type to replace)" : "Paste a token" });
	const header = el("input", { class: "control mono", id: headerID, type: "text", autocomplete: "off", spellcheck: "false" });
	header.value = token.name;
	const fault = refusal(secret);
	const form = el("form", { class: "token-form", on: {
		submit: (event) => {
			event.preventDefault();
			const wrong = secret.value || !token.set ? token.take(secret.value, header.value) : "";
			fault.say(wrong || (!token.set ? "Type or paste a token." : ""));
			if (wrong || !token.set) return secret.focus();
			secret.value = "";
			done();
		},
	} },
	el("label", { for: id, text: "Token" }), secret, fault.node,
	el("details", null, el("summary", { text: "Sent as" }), el("label", { for: headerID, text: "Header" }), header,
		el("p", { class: "muted small", text: "Authorization sends Bearer and the token; any other header sends the token alone." })),
	el("div", { class: "row" },
		el("button", { class: "primary", type: "submit" }, "Use this token"),
		token.set && button({ on: { click: () => { token.forget(); done(); } } }, "Forget it")),
	el("p", { class: "muted small", text: "Kept in the memory of this tab only. Reloading the page forgets it." }));
	return form;
}

// tokenDialog is the same in a dialog, opened from the top of the page.
function tokenDialog(token, changed) {
	const dialog = el("dialog", { class: "dialog", "aria-label": "Access token", on: {
		click: (event) => { if (event.target === dialog) dialog.close(); },
		close: () => dialog.remove(),
	} });
	dialog.append(el("div", { class: "dialog-body" },
		el("div", { class: "dialog-head" }, el("h2", { text: "Access token" }), button({ class: "icon-button", "aria-label": "Close", on: { click: () => dialog.close() } }, icon("close"))),
		tokenForm(token, () => { dialog.close(); changed(); })));
	document.body.append(dialog);
	dialog.showModal();
	dialog.querySelector("input").focus();
}
