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
