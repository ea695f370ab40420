// The code of docs/clients.md, so that it is compiled.
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
} from "./shop.v2.js";

declare const session: { token(): Promise<string>; language: string };

const client = createClient("https://shop.example/rpc/v2", {
  token: () => session.token(), // asked before every request
  language: () => session.language,
  timeout: 10_000, // milliseconds
});

const page = await client.catalog.find({ query: "tea", inStock: true });
console.log(page.items[0]?.price.amount);

async function buy(sku: string): Promise<string> {
  try {
    const order = await client.orders.create({
      customer: "c000001",
      lines: [{ sku }],
    });
    return order.id;
  } catch (error) {
    if (isError(error, "OutOfStock")) {
      return `only ${error.data.details?.left} left`; // typed data
    }
    if (isErrorOf(error, "Orders.create")) {
      return error.kind; // one of those that the method declares
    }
    if (error instanceof RpcError) {
      return error.violations.map((v) => v.pointer).join(); // what is wrong with the params
    }
    if (error instanceof HttpError) return `HTTP ${error.status}`; // a proxy, a wrong URL
    if (error instanceof TimeoutError || error instanceof TransportError) {
      return "no answer"; // the order may have been placed
    }
    throw error; // the reason of an AbortSignal, or a mistake in a hook
  }
}

async function options(signal: AbortSignal): Promise<void> {
  await client.catalog.categories({}, { signal, timeout: 1000 });
  await client.orders.create(
    { customer: "c000001", lines: [{ sku: "TEA-01" }] },
    { rpc: { idempotencyKey: crypto.randomUUID(), rayId: "checkout-7" } },
  );
  await client.$notify.catalog.categories();
}

async function overview(): Promise<void> {
  const [shelves, tea] = await client.$batch((batch) => [
    batch.catalog.categories(),
    batch.catalog.product({ sku: "TEA-01" }),
  ]);
  if (shelves.ok) console.log(shelves.value.length); // Category[]
  if (!tea.ok) console.log(tea.error.message); // the other call is not touched
}

async function cheapest(): Promise<void> {
  const shop = createClient("https://shop.example/rpc/v2", { references: true });
  const [, product] = await shop.$batch((batch) => {
    const found = batch.catalog.find({ sort: "cheapest", limit: 1 });
    return [found, batch.catalog.product({ sku: found.ref("items.0.sku") })];
  });
  if (product.ok) console.log(product.value.name);
}

async function webhook(request: Request): Promise<Response> {
  const body = await request.text(); // as it came: parse it afterwards
  try {
    await verifyWebhook("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", request.headers, body);
  } catch (error) {
    if (error instanceof WebhookError) return new Response(null, { status: 401 });
    throw error;
  }
  console.log(JSON.parse(body));
  return new Response(null, { status: 204 });
}

void [buy, options, overview, cheapest, webhook];
