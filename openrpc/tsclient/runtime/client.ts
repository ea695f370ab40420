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
