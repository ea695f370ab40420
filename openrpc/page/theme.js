// The look follows the system until the reader chooses. The choice is the only
// thing that this page stores.
const themeKey = "facet-page-theme";

function savedTheme() {
	try {
		return localStorage.getItem(themeKey);
	} catch {
		return null; // storage is off
	}
}

function applyTheme(theme) {
	if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
	else delete document.documentElement.dataset.theme;
}

// themeButton goes round: as the system, light, dark.
function themeButton() {
	const order = ["auto", "light", "dark"];
	const icons = { auto: "auto", light: "sun", dark: "moon" };
	const names = { auto: "as the system", light: "light", dark: "dark" };
	let at = Math.max(0, order.indexOf(savedTheme()));
	const b = button({ class: "icon-button", id: "theme" });
	const show = () => {
		const now = order[at];
		b.replaceChildren(icon(icons[now]));
		b.setAttribute("aria-label", `Theme: ${names[now]}`);
		b.title = `Theme: ${names[now]}`;
		applyTheme(now);
	};
	b.addEventListener("click", () => {
		at = (at + 1) % order.length;
		try {
			if (order[at] === "auto") localStorage.removeItem(themeKey);
			else localStorage.setItem(themeKey, order[at]);
		} catch { /* chosen until the page is left */ }
		show();
		announce(`Theme: ${names[order[at]]}`);
	});
	show();
	return b;
}
