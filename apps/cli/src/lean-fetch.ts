/**
 * The parts of fetch that the SDK uses, in as little code as will do. Node loads its own when the first of them is
 * touched, which takes longer than all else that a short command does (33 of 102 ms, measured). Only a process that is
 * the command's alone uses these.
 */
export function useLeanFetch(): void {
  // an assignment leaves Node's own unloaded; defining a property would load it
  Object.assign(globalThis, {
    Headers: LeanHeaders,
    Request: LeanRequest,
    Response: LeanResponse,
    FormData: LeanFormData,
  });
}

type Body = string | ArrayBuffer | Uint8Array | ReadableStream<Uint8Array> | null | undefined;
type HeadersLike = Iterable<readonly [string, string]> | Readonly<Record<string, string>>;

export class LeanHeaders {
  readonly #values = new Map<string, string>();

  constructor(init: HeadersLike = {}) {
    const entries = Symbol.iterator in init ? init : Object.entries(init);
    for (const [name, value] of entries) this.append(name, value);
  }

  append(name: string, value: string): void {
    const former = this.get(name);
    this.set(name, former === null ? value : `${former}, ${value}`);
  }

  set(name: string, value: string): void {
    this.#values.set(name.toLowerCase(), value.trim());
  }

  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null;
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase());
  }

  delete(name: string): void {
    this.#values.delete(name.toLowerCase());
  }

  entries(): MapIterator<[string, string]> {
    return this.#values.entries();
  }

  [Symbol.iterator](): MapIterator<[string, string]> {
    return this.entries();
  }
}

/** Bytes, which may be read again, or a stream, which may not. */
class LeanBody {
  readonly body: ReadableStream<Uint8Array> | null;
  readonly #bytes: Uint8Array;

  constructor(body: Body) {
    this.body = isStream(body) ? body : null;
    this.#bytes = isStream(body) ? new Uint8Array() : toBytes(body);
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return Uint8Array.from(await this.#read()).buffer;
  }

  async text(): Promise<string> {
    const bytes = await this.#read();
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      .toString("utf8")
      .replace(/^\uFEFF/, "");
  }

  protected get content(): Body {
    return this.body ?? this.#bytes;
  }

  async #read(): Promise<Uint8Array> {
    if (this.body === null) return this.#bytes;
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.body) chunks.push(chunk);
    return Buffer.concat(chunks);
  }
}

interface RequestLike {
  readonly method?: string;
  readonly headers?: HeadersLike;
  readonly body?: Body;
  readonly signal?: AbortSignal;
}

export class LeanRequest extends LeanBody {
  readonly url: string;
  readonly method: string;
  readonly headers: LeanHeaders;
  readonly signal: AbortSignal;

  constructor(input: string | URL | LeanRequest, init: RequestLike = {}) {
    const from = input instanceof LeanRequest ? input : null;
    super(init.body ?? from?.content);
    this.url = input instanceof LeanRequest ? input.url : new URL(input).href;
    this.method = (init.method ?? from?.method ?? "GET").toUpperCase();
    this.headers = new LeanHeaders(init.headers ?? from?.headers);
    this.signal = init.signal ?? from?.signal ?? new AbortController().signal;
  }

  clone(): LeanRequest {
    return new LeanRequest(this);
  }
}

interface ResponseLike {
  readonly status?: number;
  readonly headers?: HeadersLike;
}

export class LeanResponse extends LeanBody {
  readonly status: number;
  readonly statusText = "";
  readonly headers: LeanHeaders;

  constructor(body?: Body, init: ResponseLike = {}) {
    super(body);
    this.status = init.status ?? 200;
    this.headers = new LeanHeaders(init.headers);
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  clone(): LeanResponse {
    return new LeanResponse(this.content, this);
  }
}

/** A form is never sent; the SDK's HTTP library asks whether a body is one. */
class LeanFormData {
  readonly [Symbol.toStringTag] = "FormData";
}

function isStream(body: Body): body is ReadableStream<Uint8Array> {
  return typeof body === "object" && body !== null && "getReader" in body;
}

function toBytes(body: Exclude<Body, ReadableStream<Uint8Array>>): Uint8Array {
  if (typeof body === "string") return Buffer.from(body);
  return new Uint8Array(body ?? []);
}
