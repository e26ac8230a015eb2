import type { Transport } from "./transports/transport.ts";

/** Where the daemon is, and how all calls of this client behave. */
export interface ClientOptions {
  readonly transport: Transport;
  /** Of each attempt, from its sending to the last byte of the answer; of a stream, until it begins. 30,000 unless given. */
  readonly timeoutMs?: number | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly hooks?: ClientHooks | undefined;
  /** How often a GET that failed for a passing reason (not by its timeout) is tried again: 2 unless given. No mutation ever is. */
  readonly retries?: number | undefined;
  /** The wait before the next try after so many failures in a row, for GETs and streams. {@link backoffMs} unless given. */
  readonly delayMs?: ((failures: number) => number) | undefined;
}

/** Functions called around each request, in order. They see headers and bodies: keep those out of logs. */
export interface ClientHooks {
  /** May replace the request, or answer it. */
  readonly beforeRequest?: ((state: { readonly request: Request }) => MayReplace<Request | Response>)[];
  /** Only GETs are retried. */
  readonly beforeRetry?: ((state: {
    readonly request: Request;
    readonly retryCount: number;
  }) => void | Promise<void>)[];
  /** May replace the response; refusals come by here too. */
  readonly afterResponse?: ((state: Exchange) => MayReplace<Response>)[];
}

/** One request and what came back. */
export interface Exchange {
  readonly request: Request;
  readonly response: Response;
}

type MayReplace<T> = T | void | Promise<T | void>;

/** How one call behaves; it overrides the client's own. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Of a change to something that has a `revision`. */
export interface ChangeOptions extends CallOptions {
  /** Change it only while this is its revision, or (`*`) while it exists; else `PreconditionFailedError`. Last write wins without. */
  readonly ifMatch?: number | "*" | undefined;
}

/** Of a call that makes something. */
export interface CreateOptions extends CallOptions {
  /** Makes a repeated call answer what the first one made, for 24 hours. A fresh one is sent unless given. */
  readonly idempotencyKey?: string | undefined;
}
