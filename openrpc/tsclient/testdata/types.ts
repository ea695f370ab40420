import { createClient, isError, isErrorOf, RpcError, HttpError, verifyWebhook, type Product, type PageOfProduct, type Outcome } from "./shop.v2.js";
const client = createClient("http://x/rpc/v2", { token: () => "a", references: true });
const page: PageOfProduct = await client.catalog.find({ query: "tea", limit: 3 }, { timeout: 1000, rpc: { rayId: "x" } });
// @ts-expect-error wrong type
await client.catalog.find({ query: 1 });
// @ts-expect-error unknown param
await client.catalog.find({ qery: "" });
// @ts-expect-error missing
await client.catalog.product();
// @ts-expect-error no such literal
await client.catalog.find({ sort: "x" });
await client.catalog.find();
await client.catalog.categories();
const n: void = await client.$notify.catalog.categories();
const [a, b, c] = await client.$batch((batch) => {
  const found = batch.catalog.find({ query: "x" });
  batch.$notify.catalog.categories();
  const first = found.ref("items.0.sku");
  // @ts-expect-error a number is no SKU
  batch.catalog.product({ sku: found.ref("total") });
  // @ts-expect-error no such path
  batch.catalog.product({ sku: found.ref("items.0.skuu") });
  batch.catalog.product({ sku: found.ref("next") });
  return [found, batch.catalog.product({ sku: first }), batch.catalog.categories()];
});
const oa: Outcome<PageOfProduct> = a;
const ob: Outcome<Product> = b;
if (b.ok) { const s: string = b.value.sku; void s; } else { const e: RpcError | HttpError = b.error; void e; }
void c; void oa; void ob; void page; void n;
try {
  await client.orders.create({ customer: "c", lines: [{ sku: "x" }] });
} catch (e) {
  if (isError(e, "OutOfStock")) { const left: number | undefined = e.data.details?.left; const k: 1001 = e.code; void left; void k; }
  if (isErrorOf(e, "Orders.create")) {
    switch (e.kind) {
      case "OutOfStock": { const l = e.data.details?.left; void l; break; }
      case "InvalidParams": { void e.data.violations; break; }
      // @ts-expect-error not declared
      case "EmailTaken": break;
    }
  }
  if (e instanceof RpcError) { void e.violations; }
}
await verifyWebhook(["whsec_x"], new Headers(), "x");
await verifyWebhook("whsec_x", { "webhook-id": "x" }, new Uint8Array());

// The same in the document of all traps.
import { createClient as createZoo, type Shape, type Tree, type Everything } from "./zoo.js";

const zoo = createZoo();
const one: number = await zoo.a.b({ n: 1 });
const nothing: null = await zoo.a.b.c();
const told: void = await zoo.log({ line: "x" });
const shape: Shape = { kind: "circle", r: 2 };
// @ts-expect-error a square has no r
const wrong: Shape = { kind: "square", r: 2 };
const trees: Tree = [[], [[]]];
const everything = (await zoo.everything({ id: "x" })) as Everything;
const first: string = everything.tuple[0];
const second: number | null | undefined = everything.tuple[1];
// @ts-expect-error null can occur
const text: string = everything.nullable;
// @ts-expect-error only these two
everything.chosen = "c";
void [one, nothing, told, shape, wrong, trees, first, second, text];
