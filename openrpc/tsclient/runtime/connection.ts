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
