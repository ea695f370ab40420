/** How the methods of an Api are used. */
export type Mode = "call" | "notify" | "batch" | "batchNotify";

/** What using a method gives: the result, or its place in a batch. */
export type Reply<M extends Mode, R> = M extends "call"
  ? Promise<R>
  : M extends "batch"
    ? BatchCall<R>
    : Sent<M>;

/** What using a method without an answer gives. */
export type Sent<M extends Mode> = M extends "call" | "notify"
  ? Promise<void>
  : void;

/** The params of a method; in a batch results of other calls may be among them. */
export type Params<M extends Mode, P> = M extends "batch" | "batchNotify"
  ? { [K in keyof P]: P[K] | Ref<P[K]> }
  : P;

/** The params of a method that has none. */
export type NoParams = Record<string, never>;

/** What may be said about one call. In a batch only `rpc`: the rest is said of the batch. */
export type Options<M extends Mode> = M extends "call" | "notify"
  ? CallOptions
  : MemberOptions;

/** What a Facet server is told about a call, in `$rpc`. */
export interface RpcOptions {
  /** After how many seconds the server gives the call up. */
  timeout?: number | undefined;
  /** The id that logs, events and traces of the server show. */
  rayId?: string | number | undefined;
  /** The same key again answers the first result again. */
  idempotencyKey?: string | undefined;
  /** Do not answer from the cache. */
  ignoreCache?: boolean | undefined;
}

/** Options of a call in a batch. */
export interface MemberOptions {
  rpc?: RpcOptions | undefined;
}

/** Options of a call, or of a batch as a whole. */
export interface CallOptions extends MemberOptions {
  /** Ends the call; the promise is then rejected with the reason of the signal. */
  signal?: AbortSignal | undefined;
  /** After how many milliseconds this client gives up; 0: never. */
  timeout?: number | undefined;
  /** Sent with this request only. */
  headers?: Record<string, string> | undefined;
}

/** How a client calls. */
export interface ClientOptions {
  /** Sent as `Authorization: Bearer`; a function is asked before every request. */
  token?:
    | string
    | (() => string | undefined | Promise<string | undefined>)
    | undefined;
  /** Sent with every request; a function is told the methods that are called. */
  headers?:
    | Record<string, string>
    | ((
        methods: readonly string[],
      ) => Record<string, string> | Promise<Record<string, string>>)
    | undefined;
  /** The `Accept-Language` of texts, such as `uk, en;q=0.5`. */
  language?: string | (() => string | undefined) | undefined;
  /** After how many milliseconds a call is given up unless it says otherwise. */
  timeout?: number | undefined;
  /** Sends the requests; the `fetch` of the platform without one. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /**
   * Whether the server lets a call of a batch use the result of another: then
   * `ref` works, and text that looks like a reference is marked as text.
   */
  references?: boolean | undefined;
}

/** One thing that is wrong with the params of a call. */
export interface Violation {
  /** Where: a JSON pointer (RFC 6901) into params. */
  pointer: string;
  /** Which rule is broken, such as `max`. */
  rule: string;
  /** What the rule was given, such as `100`. */
  param?: string;
  /** What is wrong, for people. */
  message: string;
}

/** An error that the server answered. */
export class RpcError<
  C extends number = number,
  K extends string | undefined = string | undefined,
  D = unknown,
> extends Error {
  /** The code of the error. */
  readonly code: C;
  /** The stable name of the error, `data.exception`, if the server says one. */
  readonly kind: K;
  /** What the server sent about the error. */
  readonly data: D;
  /** The method that was called. */
  readonly method: string;
  /** The HTTP status of the answer. */
  readonly status: number;
  constructor(
    code: C,
    message: string,
    kind: K,
    data: D,
    method: string,
    status: number,
  ) {
    super(message);
    this.name = "RpcError";
    this.code = code;
    this.kind = kind;
    this.data = data;
    this.method = method;
    this.status = status;
  }
  /** All that is wrong with the params; empty if something else went wrong. */
  get violations(): readonly Violation[] {
    const list = isObject(this.data) ? this.data["violations"] : undefined;
    return Array.isArray(list) ? (list as Violation[]) : [];
  }
}

/** An answer that is not JSON-RPC: of a proxy, or because the URL is wrong. */
export class HttpError extends Error {
  readonly status: number;
  /** How the body begins. */
  readonly body: string;
  constructor(status: number, body: string) {
    super(`HTTP status ${status}, and the body is no JSON-RPC answer`);
    this.name = "HttpError";
    this.status = status;
    this.body = body.slice(0, 512);
  }
}

/** No answer came; `cause` says why. Nobody knows whether the method ran. */
export class TransportError extends Error {
  constructor(cause: unknown) {
    super(`no answer came: ${String(cause)}`, { cause });
    this.name = "TransportError";
  }
}

/** No answer came within the `timeout` of the options. */
export class TimeoutError extends Error {
  /** How many milliseconds the client waited. */
  readonly timeout: number;
  constructor(timeout: number) {
    super(`no answer came within ${timeout} ms`);
    this.name = "TimeoutError";
    this.timeout = timeout;
  }
}

/** A declared error as an RpcError; a union of names gives a union of errors. */
export type DeclaredError<N extends keyof Errors> = N extends keyof Errors
  ? RpcError<Errors[N]["code"], Errors[N]["kind"], Errors[N]["data"]>
  : never;

/** Whether an error is the declared one with this name. */
export function isError<N extends keyof Errors>(
  error: unknown,
  name: N,
): error is DeclaredError<N> {
  if (!(error instanceof RpcError)) return false;
  const declared = errorTable[name];
  if (declared === undefined) return false;
  const [code, kind] = declared;
  return error.code === code && (kind === undefined || error.kind === kind);
}

/** Whether an error is one of those that the method declares: switch on `kind` or `code` then. */
export function isErrorOf<M extends keyof MethodErrors>(
  error: unknown,
  method: M,
): error is DeclaredError<MethodErrors[M]> {
  const names = methodErrors[method] ?? [];
  return names.some((name) => isError(error, name));
}

/** The place of a value in the answers of a batch; see BatchCall.ref. */
export class Ref<out T> {
  declare protected readonly type: T;
  private readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  toJSON(): string {
    return this.text;
  }
}

/** What lies at a dotted path in a result, such as `items.0.sku`. */
export type At<T, P extends string> = P extends `${infer K}.${infer Rest}`
  ? At<MemberOf<T, K>, Rest>
  : MemberOf<T, P>;

type MemberOf<T, K extends string> = unknown extends T
  ? unknown
  : T extends null | undefined
    ? never
    : T extends readonly unknown[]
      ? K extends keyof T
        ? T[K]
        : K extends `${number}`
          ? T[number]
          : NoSuchPath<K>
      : K extends keyof T
        ? Exclude<T[K], undefined>
        : NoSuchPath<K>;

/** Stands for a path that leads nowhere. */
export interface NoSuchPath<K> {
  readonly noSuchPath: K;
}

/** A call in a batch. */
export class BatchCall<R> {
  declare protected readonly result: R;
  readonly method: string;
  readonly id: number;
  private readonly references: boolean;
  constructor(method: string, id: number, references: boolean) {
    this.method = method;
    this.id = id;
    this.references = references;
  }
  /** The result of this call, to be a parameter of another call of the batch. */
  ref(): Ref<R>;
  /** What lies at a path in the result, such as `ref("items.0.sku")`. */
  ref<const P extends string>(path: P): Ref<At<R, P>>;
  ref(path = ""): Ref<unknown> {
    if (!this.references) {
      throw new TypeError(
        "ref needs the client option references: true, and a server that allows it",
      );
    }
    return new Ref(`@FROM:${this.id}(${path})`);
  }
}

/** How a call of a batch ended. */
export type Outcome<R> =
  | { readonly ok: true; readonly value: R }
  | { readonly ok: false; readonly error: RpcError | HttpError };

/** How the calls of a batch ended, in their order. */
export type Outcomes<T extends readonly BatchCall<any>[]> = {
  -readonly [I in keyof T]: T[I] extends BatchCall<infer R>
    ? Outcome<R>
    : never;
};

/** The methods, to be put into a batch. */
export interface BatchApi extends Api<"batch"> {
  /** Puts notifications into the batch. */
  readonly $notify: Api<"batchNotify">;
}

/** The methods of the server. */
export interface Client extends Api<"call"> {
  /** Calls methods whose answers nobody wants; only delivery is waited for. */
  readonly $notify: Api<"notify">;
  /**
   * Sends several calls as one request. The calls are made in `build`; those it
   * returns have their outcomes in the answer, in that order.
   *
   *     const [a, b] = await client.$batch((batch) => [batch.x(), batch.y()]);
   *
   * It is rejected if the batch as a whole fails, and not if a call does.
   */
  $batch<const T extends readonly BatchCall<any>[]>(
    build: (batch: BatchApi) => T,
    options?: CallOptions,
  ): Promise<Outcomes<T>>;
  /** Calls a method by its name, also one that the document does not have. */
  $call(
    method: string,
    params?: object,
    options?: CallOptions,
  ): Promise<unknown>;
}

interface MethodInfo {
  readonly path: readonly string[];
  readonly name: string;
  /** The names of params that are sent by position. */
  readonly order?: readonly string[];
  /** There is never an answer. */
  readonly silent?: true;
}

interface Request {
  readonly jsonrpc: "2.0";
  readonly id?: number;
  readonly method: string;
  readonly params?: unknown;
}

interface Answer {
  readonly id: unknown;
  readonly outcome: Outcome<unknown>;
}

type Invoke = (
  method: MethodInfo,
  params: object | undefined,
  options: CallOptions | undefined,
) => unknown;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Makes an object on which every method stands at its path. */
function tree(invoke: Invoke): object {
  const nodes = new Map<object, Map<string, object>>();
  const root = {};
  nodes.set(root, new Map());
  for (const method of methods) {
    let at: object = root;
    method.path.forEach((key, i) => {
      let next = nodes.get(at)?.get(key);
      if (next === undefined) {
        next =
          i < method.path.length - 1
            ? {}
            : (params?: object, options?: CallOptions) =>
                invoke(method, params, options);
        Object.defineProperty(at, key, { value: next, enumerable: true });
        nodes.get(at)?.set(key, next);
        nodes.set(next, new Map());
      }
      at = next;
    });
  }
  return root;
}

function request(
  method: MethodInfo,
  params: object | undefined,
  options: MemberOptions | undefined,
  id: number | undefined,
  references: boolean,
): Request {
  const named: Record<string, unknown> = { ...params };
  if (references) {
    for (const [name, value] of Object.entries(named)) {
      if (typeof value === "string" && /^@+FROM:/.test(value)) {
        Object.defineProperty(named, name, { value: `@${value}` });
      }
    }
  }
  let sent: object = named;
  if (Array.isArray(params) || method.order !== undefined) {
    if (options?.rpc !== undefined) {
      throw new TypeError(
        `${method.name} takes its params by position, so it cannot have the option rpc`,
      );
    }
    const list: unknown[] = Array.isArray(params)
      ? [...(params as unknown[])]
      : (method.order ?? []).map((name) => named[name]);
    while (list.length > 0 && list[list.length - 1] === undefined) list.pop();
    sent = list;
  } else if (options?.rpc !== undefined) {
    named["$rpc"] = options.rpc;
  }
  const empty = Object.keys(sent).length === 0;
  return {
    jsonrpc: "2.0",
    ...(id === undefined ? {} : { id }),
    method: method.name,
    ...(empty ? {} : { params: sent }),
  };
}

/** Reads one response object; undefined if it is none. */
function readAnswer(
  value: unknown,
  method: string,
  status: number,
): Answer | undefined {
  if (!isObject(value)) return undefined;
  const { id, error } = value;
  if (isObject(error) && typeof error["code"] === "number") {
    const data = error["data"];
    const kind = isObject(data) ? data["exception"] : undefined;
    return {
      id,
      outcome: {
        ok: false,
        error: new RpcError(
          error["code"],
          String(error["message"]),
          typeof kind === "string" ? kind : undefined,
          data,
          method,
          status,
        ),
      },
    };
  }
  if (!("result" in value) || status < 200 || status > 299) return undefined;
  return { id, outcome: { ok: true, value: value["result"] } };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Sends requests and reads answers as they are. */
class Connection {
  private readonly url: string;
  private readonly options: ClientOptions;
  constructor(url: string, options: ClientOptions) {
    this.url = url;
    this.options = options;
  }

  get references(): boolean {
    return this.options.references === true;
  }

  /** Calls one method. */
  async call(
    method: MethodInfo,
    params: object | undefined,
    options: CallOptions | undefined,
  ): Promise<unknown> {
    const body = request(method, params, options, 1, false);
    const { status, text } = await this.post(body, [method.name], options);
    const answer = readAnswer(parsed(text), method.name, status);
    if (answer === undefined) throw new HttpError(status, text);
    if (!answer.outcome.ok) throw answer.outcome.error;
    if (answer.id !== 1) throw new HttpError(status, text);
    return answer.outcome.value;
  }

  /** Sends one notification. */
  async notify(
    method: MethodInfo,
    params: object | undefined,
    options: CallOptions | undefined,
  ): Promise<void> {
    const body = request(method, params, options, undefined, false);
    const { status, text } = await this.post(body, [method.name], options);
    const answer = readAnswer(parsed(text), method.name, status);
    if (answer?.outcome.ok === false) throw answer.outcome.error;
    if (status < 200 || status > 299) throw new HttpError(status, text);
  }

  /** Sends a batch; the outcomes are by id, from 1. */
  async batch(
    requests: readonly Request[],
    options: CallOptions | undefined,
  ): Promise<Map<unknown, Outcome<unknown>>> {
    const names = requests.map((r) => r.method);
    const { status, text } = await this.post(requests, names, options);
    const outcomes = new Map<unknown, Outcome<unknown>>();
    for (const r of requests) {
      if (r.id !== undefined) {
        outcomes.set(r.id, { ok: false, error: new HttpError(status, text) });
      }
    }
    const answers = parsed(text);
    if (!Array.isArray(answers)) {
      const answer = readAnswer(answers, names.join(), status);
      if (answer?.outcome.ok === false) throw answer.outcome.error;
      if (outcomes.size > 0 || status < 200 || status > 299) {
        throw new HttpError(status, text);
      }
      return outcomes;
    }
    for (const item of answers as unknown[]) {
      const id = isObject(item) ? item["id"] : undefined;
      const sent = requests.find((r) => r.id === id);
      const answer = readAnswer(item, sent?.method ?? "", status);
      if (answer !== undefined && outcomes.has(id)) {
        outcomes.set(id, answer.outcome);
      }
    }
    return outcomes;
  }

  private async post(
    body: unknown,
    names: readonly string[],
    options: CallOptions = {},
  ): Promise<{ status: number; text: string }> {
    const text = JSON.stringify(body);
    const stop = new AbortController();
    const timeout = options.timeout ?? this.options.timeout ?? 0;
    const timer =
      timeout > 0
        ? setTimeout(() => stop.abort(new TimeoutError(timeout)), timeout)
        : undefined;
    const abort = (): void => stop.abort(options.signal?.reason);
    if (options.signal?.aborted === true) abort();
    options.signal?.addEventListener("abort", abort);
    const left = new Promise<never>((_, reject) => {
      const leave = (): void => reject(stop.signal.reason);
      if (stop.signal.aborted) leave();
      stop.signal.addEventListener("abort", leave);
    });
    left.catch(() => undefined); // nobody may be waiting
    try {
      const asked = this.headers(names, options);
      const headers = await Promise.race([asked, left]); // a hook may hang
      return await this.send(text, headers, stop.signal);
    } finally {
      clearTimeout(timer);
      options.signal?.removeEventListener("abort", abort);
    }
  }

  private async send(
    body: string,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<{ status: number; text: string }> {
    const send = this.options.fetch ?? ((url, init) => fetch(url, init));
    try {
      const init = { method: "POST", headers, body, signal };
      const response = await send(this.url, init);
      return { status: response.status, text: await response.text() };
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw new TransportError(error);
    }
  }

  private async headers(
    names: readonly string[],
    options: CallOptions,
  ): Promise<Record<string, string>> {
    const { token, headers, language } = this.options;
    const bearer = typeof token === "function" ? await token() : token;
    const tongue = typeof language === "function" ? language() : language;
    return {
      "Content-Type": "application/json",
      Accept: "application/json",
      ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }),
      ...(tongue === undefined ? {} : { "Accept-Language": tongue }),
      ...(typeof headers === "function" ? await headers(names) : headers),
      ...options.headers,
    };
  }
}

/** Makes a client of the server at a URL. It connects with the first call. */
/*CREATE*/
  const connection = new Connection(url, options);
  const client = tree((m, params, o) =>
    m.silent === true
      ? connection.notify(m, params, o)
      : connection.call(m, params, o),
  );
  const own = {
    $notify: tree((m, params, o) => connection.notify(m, params, o)),
    $call: (name: string, params?: object, o?: CallOptions) =>
      connection.call({ path: [], name }, params, o),
    $batch: async (
      build: (batch: BatchApi) => readonly BatchCall<any>[],
      o?: CallOptions,
    ) => {
      const { api, requests } = collector(connection.references);
      const calls = build(api);
      if (requests.length === 0) return [];
      const outcomes = await connection.batch(requests, o);
      return calls.map((call) => outcomes.get(call.id));
    },
  };
  return Object.assign(client, own) as unknown as Client;
}

/** Makes the methods of a batch, and the list of what was called. */
function collector(references: boolean): {
  api: BatchApi;
  requests: Request[];
} {
  const requests: Request[] = [];
  let ids = 0;
  const notify: Invoke = (m, params, o) => {
    requests.push(request(m, params, o, undefined, references));
  };
  const api = tree((m, params, o) => {
    if (m.silent === true) return notify(m, params, o);
    const id = ++ids;
    requests.push(request(m, params, o, id, references));
    return new BatchCall(m.name, id, references);
  });
  Object.assign(api, { $notify: tree(notify) });
  return { api: api as unknown as BatchApi, requests };
}
