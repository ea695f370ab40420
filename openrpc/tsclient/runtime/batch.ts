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
