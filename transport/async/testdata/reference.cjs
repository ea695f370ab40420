// Verifies a webhook from stdin with the reference library, and signs one.
const { Webhook } = require("standardwebhooks");
const given = JSON.parse(require("fs").readFileSync(0, "utf8"));
const webhook = new Webhook(given.secret);
let refused = "";
try {
  webhook.verify(given.body + " ", given.header);
} catch (e) {
  refused = e.message;
}
const now = new Date();
const body = '{"jsonrpc":"2.0","id":"ї","result":null}';
console.log(JSON.stringify({
  Verified: JSON.stringify(webhook.verify(given.body, given.header)),
  Refused: refused,
  ID: "msg_1",
  Stamp: String(Math.floor(now.getTime() / 1000)),
  Signature: webhook.sign("msg_1", now, body),
  Body: body,
}));
