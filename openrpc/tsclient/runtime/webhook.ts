/** A webhook that cannot be trusted. */
export class WebhookError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "WebhookError";
  }
}

/** The headers of a request, in any of the forms that servers have them. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Record<string, string | readonly string[] | undefined>;

/**
 * Verifies a webhook of the Standard Webhooks specification, by WebCrypto only.
 * Several secrets are for the time in which one replaces another. The body is
 * what came, byte for byte: read it as text, and parse it afterwards.
 *
 * @throws {WebhookError} if it is not signed with a secret, or too old or too new
 */
export async function verifyWebhook(
  secrets: string | readonly string[],
  headers: WebhookHeaders,
  body: string | Uint8Array,
  options: {
    /** How many seconds the clocks may differ, 300 without one. */
    tolerance?: number;
    /** The time now, in milliseconds. */
    now?: number;
  } = {},
): Promise<{ id: string; timestamp: Date }> {
  const id = webhookHeader(headers, "webhook-id");
  const seconds = webhookHeader(headers, "webhook-timestamp");
  const signatures = webhookHeader(headers, "webhook-signature");
  if (!/^\d{1,12}$/.test(seconds)) {
    throw new WebhookError("webhook-timestamp is not a time in seconds");
  }
  const age = (options.now ?? Date.now()) / 1000 - Number(seconds);
  if (Math.abs(age) > (options.tolerance ?? 300)) {
    throw new WebhookError("the webhook is too old, or from the future");
  }
  const head = new TextEncoder().encode(`${id}.${seconds}.`);
  const tail = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const signed = new Uint8Array(head.length + tail.length);
  signed.set(head);
  signed.set(tail, head.length);
  for (const secret of typeof secrets === "string" ? [secrets] : secrets) {
    const bytes = fromBase64(secret.replace(/^whsec_/, ""));
    if (bytes === undefined || bytes.length === 0) {
      throw new TypeError("a webhook secret is whsec_ and Base64");
    }
    const key = await crypto.subtle.importKey(
      "raw",
      bytes,
      { name: "HMAC", hash: "SHA-256" },
      false,
      ["verify"],
    );
    for (const signature of signatures.split(" ")) {
      const [version, value] = signature.split(",", 2);
      const mac = version === "v1" ? fromBase64(value ?? "") : undefined;
      // verify takes the same time whatever differs.
      if (
        mac !== undefined &&
        (await crypto.subtle.verify("HMAC", key, mac, signed))
      ) {
        return { id, timestamp: new Date(Number(seconds) * 1000) };
      }
    }
  }
  throw new WebhookError("no signature of the webhook fits");
}

function webhookHeader(headers: WebhookHeaders, name: string): string {
  let value: unknown;
  if (typeof headers["get"] === "function") {
    value = headers["get"](name);
  } else {
    for (const [key, v] of Object.entries(headers)) {
      if (key.toLowerCase() === name) value = v;
    }
    if (Array.isArray(value) && value.length === 1) value = value[0];
  }
  if (typeof value !== "string" || value === "") {
    throw new WebhookError(`the webhook has no header ${name}`);
  }
  return value;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  } catch {
    return undefined;
  }
}
