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
