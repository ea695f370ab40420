const http = require("http");
const { Webhook } = require("standardwebhooks");

const webhook = new Webhook(process.env.WEBHOOK_SECRET);
const seen = new Set(); // a table of the database, where what done does is

let fails = Number(process.env.FAIL_FIRST ?? 0);
async function done(id, response) {
  if (fails-- > 0) throw new Error("not now");
  console.error(id, response.error ?? response.result);
}

const server = http.createServer(async (req, res) => {
  const chunks = [];
  let size = 0;
  for await (const chunk of req) {
    if ((size += chunk.length) > 2 << 20) return res.writeHead(413).end();
    chunks.push(chunk);
  }
  const id = req.headers["webhook-id"];
  let response;
  try {
    response = webhook.verify(Buffer.concat(chunks).toString(), req.headers);
  } catch {
    return res.writeHead(401).end(); // not signed
  }
  try {
    if (!seen.has(id)) await done(id, response);
    seen.add(id);
    res.writeHead(204).end();
  } catch {
    res.writeHead(500).end(); // it comes again
  }
});
server.listen(Number(process.env.PORT ?? 8090), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});
