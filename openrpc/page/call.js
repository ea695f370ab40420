// send calls a method and answers what came back, with time and headers. It
// throws when nothing did.
async function send({ url, body, token, signal }) {
	const begin = performance.now();
	const answer = await fetch(url, {
		method: "POST",
		headers: { "Content-Type": "application/json", Accept: "application/json", ...token.headers() },
		body, signal, credentials: "omit", cache: "no-store", redirect: "error",
	});
	const received = await answer.text();
	const took = performance.now() - begin;
	let value;
	try {
		value = parse(received);
	} catch { /* shown as it is */ }
	return {
		status: answer.status, statusText: answer.statusText, took, headers: [...answer.headers], text: received,
		size: new TextEncoder().encode(received).length,
		result: own(value, "result"), error: isObject(own(value, "error")) ? value.error : null, json: value !== undefined,
	};
}

// reachable reports whether the policy of this page lets it call an address:
// its own origin, and those that its settings name.
function reachable(address, settings) {
	const allowed = [location.origin, ...settings.documents.flatMap((d) => [d.url, d.rpc]).filter(Boolean).map((u) => new URL(u, location.href).origin)];
	try {
		return allowed.includes(new URL(address).origin);
	} catch {
		return false;
	}
}

// duration and bytes are for people.
function duration(ms) {
	return ms < 10 ? `${ms.toFixed(1)} ms` : ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`;
}

function bytes(n) {
	return n < 1024 ? `${n} B` : n < 1 << 20 ? `${(n / 1024).toFixed(1)} kB` : `${(n / (1 << 20)).toFixed(1)} MB`;
}
