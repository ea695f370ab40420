// What the generated client does against the real shop. It runs in Node and in
// browsers, and throws at the first surprise.
import {
  createClient,
  HttpError,
  isError,
  isErrorOf,
  RpcError,
  TimeoutError,
  TransportError,
  verifyWebhook,
  WebhookError,
} from "./client.js";

function check(ok: boolean, what: string): asserts ok {
  if (!ok) throw new Error(`not so: ${what}`);
}

async function fails(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

export async function main(url: string, token: string): Promise<string> {
  const sent: string[] = [];
  const client = createClient(url, {
    token: async () => token,
    headers: (methods) => ({ "X-Methods": methods.join() }),
    language: "uk",
    timeout: 20_000,
    references: true,
    fetch: (to, init) => {
      sent.push(String(init.body));
      return fetch(to, init);
    },
  });

  // A call, with defaults and without params.
  const page = await client.catalog.find({ query: "cup", limit: 1 });
  check(page.items[0]?.sku === "CUP-02" && page.total === 2, "find");
  check((await client.catalog.find()).items.length === 10, "default limit");
  const shelves = await client.catalog.categories();
  check(shelves.length > 0 && shelves[0]?.children !== undefined, "a tree");
  check((await client.$call("ping")) === "PONG", "a method by its name");
  check((await client.a()) === "a" && (await client.a.b()) === "a.b", "a and a.b");

  // What is said of one call.
  await client.catalog.find({ limit: 1 }, { rpc: { rayId: "ray", ignoreCache: true } });
  check(sent.at(-1)?.includes('"$rpc":{"rayId":"ray","ignoreCache":true}') === true, "$rpc");
  const order = { customer: "c000001", lines: [{ sku: "TEA-01" }] };
  const once = { rpc: { idempotencyKey: `k${Math.random()}` } };
  const placed = await client.orders.create(order, once);
  check((await client.orders.create(order, once)).id === placed.id, "the same order");

  // Notifications.
  check((await client.$notify.catalog.categories()) === undefined, "notified");
  check(sent.at(-1) === '{"jsonrpc":"2.0","method":"Catalog.categories"}', "no id");

  // A batch: results of their own types, one failure, a notification, and
  // references to the results of others.
  const [found, first, missing, echo] = await client.$batch((batch) => {
    const found = batch.catalog.find({ sort: "cheapest", limit: 1 });
    batch.$notify.catalog.categories();
    return [
      found,
      batch.catalog.product({ sku: found.ref("items.0.sku") }),
      batch.catalog.product({ sku: "TEA-99" }),
      batch.desk.echo({ text: "@FROM:1()" }),
    ];
  });
  check(found.ok && first.ok && found.value.items[0]?.name === first.value.name, "a reference");
  check(!missing.ok && missing.error instanceof RpcError && missing.error.kind === "NotFound", "one fails");
  check(echo.ok && echo.value === "@FROM:1()", "text that looks like a reference");
  check((await client.$batch(() => [])).length === 0, "an empty batch");

  // Errors by kind, with their data.
  const short = await fails(client.orders.create({ customer: "c000001", lines: [{ sku: "TEA-07" }] }));
  check(isError(short, "OutOfStock") && short.data.details?.left === 0 && short.code === 1001, "OutOfStock");
  check(isErrorOf(short, "Orders.create") && !isErrorOf(short, "Catalog.product"), "declared by its method");
  const invalid = await fails(client.orders.create({ customer: "", lines: [{ sku: "tea", quantity: 0 }] }));
  check(isError(invalid, "InvalidParams") && invalid.status === 200, "InvalidParams");
  check(invalid.violations.some((v) => v.pointer === "/lines/0/quantity"), "violations");
  check(invalid.violations.every((v) => /[а-яі]/i.test(v.message)), "in Ukrainian");

  // What is no answer of a method.
  const stranger = await fails(createClient(url).catalog.find());
  check(stranger instanceof RpcError && stranger.code === -32401 && stranger.status === 401, "401");
  const lost = await fails(createClient(url.replace("/rpc", "/nothing")).catalog.find());
  check(lost instanceof HttpError && lost.status === 404, "a wrong URL");
  const down = await fails(createClient("http://127.0.0.1:1/rpc").catalog.find());
  check(down instanceof TransportError && down.cause !== undefined, "nobody there");

  // Leaving and waiting.
  const stop = new AbortController();
  const left = fails(client.desk.wait({}, { signal: stop.signal }));
  stop.abort(new Error("enough"));
  check(String(await left) === "Error: enough", "abort");
  check((await fails(client.desk.wait({}, { signal: AbortSignal.abort("early") }))) === "early", "aborted before");
  const slow = await fails(client.desk.wait({}, { timeout: 50 }));
  check(slow instanceof TimeoutError && slow.timeout === 50, "timeout");
  const hook = createClient(url, { token: () => Promise.reject(new Error("no token")) });
  check(String(await fails(hook.catalog.find())) === "Error: no token", "a hook that fails");
  const hangs = createClient(url, { token: () => new Promise(() => undefined), timeout: 50 });
  check((await fails(hangs.catalog.find())) instanceof TimeoutError, "a hook that hangs");
  const large = client.$call("Desk.echo", { text: 1n });
  check((await fails(large)) instanceof TypeError, "params that are no JSON");
  check((await client.$call("Desk.echo", ["by position"])) === "by position", "params by position");

  await webhooks();
  return "all well";
}

// The example of the specification, and what must not pass.
async function webhooks(): Promise<void> {
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const body = '{"test": 2432232314}';
  const headers = {
    "Webhook-Id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v2,AAAA v1,AAAA v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  };
  const at = { now: 1614265330_000 };
  const seen = await verifyWebhook(["whsec_AAAA", secret], headers, body, at);
  check(seen.id === headers["Webhook-Id"] && seen.timestamp.getTime() === at.now, "signed");
  await verifyWebhook(secret, new Headers(headers), new TextEncoder().encode(body), at);
  for (const [what, verify] of Object.entries({
    "another body": () => verifyWebhook(secret, headers, body + " ", at),
    "another secret": () => verifyWebhook("whsec_AAAA", headers, body, at),
    "another id": () => verifyWebhook(secret, { ...headers, "Webhook-Id": "x" }, body, at),
    "too old": () => verifyWebhook(secret, headers, body, { now: at.now + 301_000 }),
    "too new": () => verifyWebhook(secret, headers, body, { now: at.now - 301_000 }),
    "no header": () => verifyWebhook(secret, {}, body, at),
  })) {
    check((await fails(verify())) instanceof WebhookError, what);
  }
  check((await fails(verifyWebhook("no base64!", headers, body, at))) instanceof TypeError, "a bad secret");
}
