// The same call in other places. The token is never in a snippet: it is read
// from the environment there.
const languages = [
	{ id: "curl", label: "curl", mode: "shell", write: curl },
	{ id: "ts", label: "TypeScript", mode: "ts", write: typescript },
	{ id: "go", label: "Go", mode: "go", write: golang },
];
const mcpLanguage = { id: "mcp", label: "MCP", mode: "shell", write: mcpCall };

// languagesOf are those in which a method can be called: as a tool only when a
// group of it is served as tools.
function languagesOf(doc, method) {
	return toolURL(doc, method) ? [...languages, mcpLanguage] : languages;
}

function toolURL(doc, method) {
	const served = doc.listed.mcp ?? {};
	const group = list(method.source["x-groups"]).find((g) => own(served, g));
	return group && absolute(served[group]);
}

// quote is a word for a shell, whatever is in it.
function quote(word) {
	return "'" + String(word).replaceAll("'", "'\\''") + "'";
}

function shellHeader(token) {
	return token.name === "Authorization" ? `-H "Authorization: Bearer $TOKEN"` : `-H ${quote(token.name + ": ")}"$TOKEN"`;
}

function curl({ url, method, params, token, wanted }) {
	return [`curl ${quote(url)} \\`, wanted && `  ${shellHeader(token)} \\`, "  -H 'Content-Type: application/json' \\",
		`  -d ${quote(print(request(method, params)))}`].filter(Boolean).join("\n");
}

function typescript({ url, method, params, token, wanted }) {
	const body = print(request(method, params), "  ", "  ");
	const secret = token.name === "Authorization" ? "    Authorization: `Bearer ${process.env.TOKEN}`,\n" : `    ${JSON.stringify(token.name)}: process.env.TOKEN ?? "",\n`;
	return `const response = await fetch(${JSON.stringify(url)}, {
  method: "POST",
  headers: {
    "Content-Type": "application/json",
${wanted ? secret : ""}  },
  body: JSON.stringify(${body}),
});
const { result, error } = await response.json();
if (error) {
  throw new Error(\`\${error.code}: \${error.message}\`);
}
console.log(result);
`;
}

function golang({ url, method, params, token, wanted }) {
	const bearer = token.name === "Authorization";
	const options = !wanted ? "client.Options{}" : bearer ? `client.Options{Token: os.Getenv("TOKEN")}`
		: `client.Options{Header: http.Header{${JSON.stringify(token.name)}: {os.Getenv("TOKEN")}}}`;
	const imports = ["context", "fmt", "log", wanted && !bearer && "net/http", wanted && "os"].filter(Boolean);
	const empty = Array.isArray(params) ? !params.length : !Object.keys(params).length;
	return `package main

import (
${imports.map((i) => `\t"${i}"`).join("\n")}

	"github.com/facet-rpc/facet/transport/rpchttp/client"
)

func main() {
	c := client.New(${JSON.stringify(url)}, ${options})
	result, err := client.Call[any](context.Background(), c, ${JSON.stringify(method.name)}, ${empty ? "nil" : goValue(params, "\t")})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result)
}
`;
}

// goValue is a value as a Go literal.
function goValue(x, margin) {
	const inner = margin + "\t";
	if (x === null || x === undefined) return "nil";
	if (x instanceof Num) return /^-?\d{1,18}$/.test(x.text) || !/^-?\d+$/.test(x.text) ? x.text : `uint64(${x.text})`;
	if (typeof x !== "object") return JSON.stringify(x);
	const members = Array.isArray(x) ? x.map((v) => goValue(v, inner)) : Object.entries(x).map(([k, v]) => `${JSON.stringify(k)}: ${goValue(v, inner)}`);
	const type = Array.isArray(x) ? "[]any" : "map[string]any";
	const flat = members.join(", ");
	if (!members.length || (flat.length < 60 && !flat.includes("\n"))) return `${type}{${flat}}`;
	return `${type}{\n${inner}${members.join(",\n" + inner)},\n${margin}}`;
}

// mcpCall calls the tool in the way of MCP 2026-07-28, which needs no session.
function mcpCall({ doc, method, params, token, wanted }) {
	const version = "2026-07-28";
	const named = byName(method, params) ?? {};
	const body = {
		jsonrpc: "2.0", id: new Num("1"), method: "tools/call",
		params: {
			name: method.name, arguments: named,
			_meta: { "io.modelcontextprotocol/protocolVersion": version, "io.modelcontextprotocol/clientCapabilities": {} },
		},
	};
	return [`curl ${quote(toolURL(doc, method))} \\`, wanted && `  ${shellHeader(token)} \\`, "  -H 'Content-Type: application/json' \\",
		"  -H 'Accept: application/json, text/event-stream' \\", `  -H 'Mcp-Protocol-Version: ${version}' \\`,
		`  -H 'Mcp-Method: tools/call' -H ${quote("Mcp-Name: " + method.name)} \\`, `  -d ${quote(print(body))}`].filter(Boolean).join("\n");
}
