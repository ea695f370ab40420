// Runs one of the official TypeScript clients against a URL and prints, as
// JSON, what it got:
//
//   node client.mjs 1|2 legacy|modern|auto URL [TOKEN]
import process from "node:process";

const [release, era, url, token] = process.argv.slice(2);

// load is the client and its transport, of the package of a release.
async function load() {
  if (release === "1") {
    const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
    const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
    return { client: new Client(me), Transport: StreamableHTTPClientTransport };
  }
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const mode = era === "modern" ? { pin: "2026-07-28" } : era;
  return { client: new Client(me, { versionNegotiation: { mode } }), Transport: StreamableHTTPClientTransport };
}

const me = { name: "matrix", version: "1" };
const headers = token ? { Authorization: `Bearer ${token}` } : {};

// call is a call with options, which release 1 takes behind the schema.
function call(client, params, options) {
  return release === "1" ? client.callTool(params, undefined, options) : client.callTool(params, options);
}

// refusal is the code of an error: of the protocol, else of HTTP.
async function refusal(promise) {
  try {
    await promise;
    return "none";
  } catch (error) {
    return String(error.status ?? error.code ?? error);
  }
}

// connect is a client that has said hello.
async function connect() {
  const { client, Transport } = await load();
  const transport = new Transport(new URL(url), { requestInit: { headers } });
  await client.connect(transport);
  return { client, transport };
}

// lost is what a client gets whose session was ended by somebody else.
async function lost() {
  const { client, transport } = await connect();
  if (!transport.sessionId) return "";
  await fetch(url, { method: "DELETE", headers: { ...headers, "Mcp-Session-Id": transport.sessionId } });
  return refusal(client.listTools());
}

const got = {};
try {
  got.lost = await lost();
} catch (error) {
  console.log(JSON.stringify({ refused: `${error.status ?? error.code} ${error}` }));
  process.exit(0);
}
const { client, transport } = await connect();
got.tools = (await client.listTools()).tools.map((t) => t.name).join(" ");
got.text = (await call(client, { name: "test_simple_text" })).content[0].text;
got.blocks = (await call(client, { name: "test_multiple_content_types" })).content.map((b) => b.type).join(" ");
const sent = await call(client, { name: "test_x_mcp_header", arguments: { region: "Київ" } });
if (sent.structuredContent.result !== sent.content[0].text.slice(1, -1)) throw new Error("structured content differs");
got.echo = sent.content[0].text;
const failed = await call(client, { name: "test_error_handling" });
got.error = `${failed.isError} ${JSON.parse(failed.content[0].text).data.exception}`;
got.unknown = await refusal(call(client, { name: "none" }));
got.arguments = await refusal(call(client, { name: "test_x_mcp_header", arguments: {} }));

const steps = [];
await call(client, { name: "test_tool_with_progress" }, { onprogress: (p) => steps.push(`${p.progress}/${p.total}`) });
got.progress = steps.join(" ");

await transport.terminateSession();
await client.close();
console.log(JSON.stringify(got));
process.exit(0);
