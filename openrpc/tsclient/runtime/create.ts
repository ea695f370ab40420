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
