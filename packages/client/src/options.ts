import type { Transport } from "./transports/transport.ts";

/** The transport to the daemon, and defaults for all calls of a client. */
export interface ClientOptions {
  /** Sends the requests; see {@link Transport}. */
  readonly transport: Transport;
  /** Time limit of each attempt in milliseconds. An attempt ends with the last byte of the answer, or when a stream starts. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Headers for every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Functions called around each request. */
  readonly hooks?: ClientHooks | undefined;
  /** Maximum retries of a GET after a temporary failure other than a timeout. Default 2. Mutations are never retried. */
  readonly retries?: number | undefined;
  /** Returns the milliseconds to wait after `failures` consecutive failures of a GET or a stream. Default {@link backoffMs}. */
  readonly delayMs?: ((failures: number) => number) | undefined;
}

/** Functions called around each request, in order. They get headers and bodies: do not log these, because they may contain secrets. */
export interface ClientHooks {
  /** Called before each request. It may return another request to send, or a response to use instead. */
  readonly beforeRequest?: ((state: { readonly request: Request }) => MayReplace<Request | Response>)[];
  /** Called before each retry. Only GETs are retried. */
  readonly beforeRetry?: ((state: {
    readonly request: Request;
    readonly retryCount: number;
  }) => void | Promise<void>)[];
  /** Called after each response, error responses included. It may return another response. */
  readonly afterResponse?: ((state: Exchange) => MayReplace<Response>)[];
}

/** A request and its response. */
export interface Exchange {
  readonly request: Request;
  readonly response: Response;
}

type MayReplace<T> = T | void | Promise<T | void>;

/** The options of one call. They override the options of the client. */
export interface CallOptions {
  /** Aborts the call. */
  readonly signal?: AbortSignal | undefined;
  /** Time limit of each attempt of this call in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** Headers for this call, in addition to the headers of the client. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The options of a change to a resource with a `revision`. */
export interface ChangeOptions extends CallOptions {
  /**
   * The revision that the resource must have; `*` allows every revision. If the resource has another revision, the call
   * changes nothing and throws `PreconditionFailedError`. Without `ifMatch`, the last write wins.
   */
  readonly ifMatch?: number | "*" | undefined;
}

/** The options of a call that creates something. */
export interface CreateOptions extends CallOptions {
  /** For 24 hours, a repeated call with the same key returns the resource that the first call created. Default: a random key for each call, or the header `Idempotency-Key`. */
  readonly idempotencyKey?: string | undefined;
}
