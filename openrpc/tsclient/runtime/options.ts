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
