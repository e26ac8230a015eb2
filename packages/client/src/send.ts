import ky, { isHTTPError, isTimeoutError, type RetryOptions } from "ky";
import { type Refusal, toApiError } from "./api-error.ts";
import { backoffMs, delayMaxMs } from "./backoff.ts";
import type { Endpoint } from "./endpoints.ts";
import { AbortError, BelfryError, ConnectionError, TimeoutError } from "./errors.ts";
import type { CallOptions, ClientOptions } from "./options.ts";
import { isTransient, retriesDefault, transientStatuses } from "./retry.ts";
import { sleep } from "./sleep.ts";
import { argumentError } from "./stack-trace.ts";
import type { Transport } from "./transports/transport.ts";

const timeoutDefaultMs = 30_000;

/** The parts of a request besides its address. */
export interface RequestParts {
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: object | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly options?: CallOptions | undefined;
  /** A stream resolves as soon as its headers arrive. Its reader reconnects, so the request is not retried here. */
  readonly isStream?: boolean;
  /** Retries a stream that has not started: its reader cannot reconnect. */
  readonly isRetried?: boolean;
  /** How long the answer may take to begin, unless the caller says it. */
  readonly timeoutMs?: number;
}

export type Send = (endpoint: Endpoint, parts: RequestParts) => Promise<Response>;

/** The request may have arrived, but no complete answer came. `Caller` turns this error into a public error, which depends on the operation. */
export class LostAnswerError extends BelfryError {
  override readonly cause: BelfryError;

  constructor(cause: BelfryError) {
    super(cause.message);
    this.cause = cause;
  }
}

/** Creates the function that sends one request and reads its whole answer. Every failure becomes an error of this package. */
export function createSend(options: ClientOptions): Send {
  const { transport, hooks, headers } = options;
  const http = ky.create({
    prefix: `${transport.baseUrl}/v1`,
    redirect: "error",
    ...(hooks === undefined ? {} : { hooks }),
    ...(headers === undefined ? {} : { headers }),
  });
  const retry = readRetryOptions(options);

  return async (endpoint, parts) => {
    const timeoutMs = parts.options?.timeoutMs ?? options.timeoutMs ?? parts.timeoutMs ?? timeoutDefaultMs;
    const signal = parts.options?.signal;
    let attempt: Promise<Response> | null = null;
    try {
      return await http(buildPath(endpoint.path, parts.params ?? {}), {
        method: endpoint.method,
        headers: mergeHeaders({ accept: "application/json" }, parts.options?.headers, parts.headers),
        searchParams: buildSearchParams(parts.query ?? {}),
        ...(parts.body === undefined ? {} : { json: parts.body }),
        ...(signal === undefined ? {} : { signal }),
        timeout: timeoutMs,
        // by default, ky also repeats PUT and DELETE
        retry: endpoint.method === "get" && (parts.isStream !== true || parts.isRetried === true) ? retry : 0,
        fetch: (request) => (attempt = exchange(transport.fetch, request as Request, parts.isStream === true)),
      });
    } catch (error) {
      throw isTimeoutError(error) ? await explainTimeout(attempt, timeoutMs) : classify(error, signal);
    }
  };
}

/** The last one counts. As members of one object, `If-Match` and `if-match` would be sent as one value with a comma. */
function mergeHeaders(...all: readonly (Readonly<Record<string, string>> | undefined)[]): Headers {
  const merged = new Headers();
  for (const headers of all) for (const [name, value] of new Headers(headers)) merged.set(name, value);
  return merged;
}

function readRetryOptions(options: ClientOptions): RetryOptions {
  return {
    limit: options.retries ?? retriesDefault,
    methods: ["get"],
    statusCodes: [...transientStatuses],
    delay: options.delayMs ?? backoffMs,
    backoffLimit: delayMaxMs,
    maxRetryAfter: delayMaxMs,
    // for an HTTP error, `undefined` lets ky apply statusCodes and Retry-After
    shouldRetry: ({ error }) =>
      isHTTPError(error) ? undefined : isTransient(error instanceof LostAnswerError ? error.cause : error),
  };
}

/** A response with the head of another one. An answer without a body must not have an empty one. */
export function wholeResponse(body: ArrayBuffer, { status, headers }: Response): Response {
  return new Response(body.byteLength === 0 ? null : body, { status, headers });
}

/** Reads the whole body, unless it is a stream: a truncated body is a lost answer. */
async function exchange(fetch: Transport["fetch"], request: Request, isStream: boolean): Promise<Response> {
  const { signal } = request;
  if (signal.aborted) throw new AbortError(signal);
  try {
    const response = await fetch(request);
    if (isStream && response.ok) return response;
    return wholeResponse(await response.arrayBuffer(), response);
  } catch (cause) {
    if (cause instanceof BelfryError) throw cause;
    const message = "The connection to the daemon broke before the answer was complete.";
    throw new LostAnswerError(signal.aborted ? new AbortError(signal) : new ConnectionError(message, { cause }));
  }
}

/** ky's errors contain the request with its body, so none of them is kept, not even as a cause. */
function classify(error: unknown, signal: AbortSignal | undefined): unknown {
  if (isHTTPError(error)) return classifyHttpError(error.response, error.data);
  return error instanceof BelfryError || signal?.aborted !== true ? error : new AbortError(signal);
}

/** ky has aborted the attempt. A transport throws an `AbortError` only if nothing was sent. */
async function explainTimeout(attempt: Promise<Response> | null, timeoutMs: number): Promise<BelfryError> {
  const isUnsent = attempt?.then(
    () => false,
    (error: unknown) => error instanceof AbortError,
  );
  // a transport that ignores its signal does not settle
  if (await Promise.race([isUnsent, sleep(0, undefined).then(() => false)]))
    return new TimeoutError(`The daemon could not be reached within ${timeoutMs} ms. Nothing was sent.`);
  return new LostAnswerError(new TimeoutError(`The daemon did not answer within ${timeoutMs} ms.`));
}

function classifyHttpError(response: Response, data: unknown): BelfryError {
  const { status } = response;
  const origin = { status, requestId: response.headers.get("x-request-id") };
  const reason = readErrorBody(data);
  if (reason !== null) return toApiError({ ...origin, ...reason });
  const message = `The server answered HTTP ${status} without an error code. Check that the server is a Belfry daemon, and check any proxy in between.`;
  const bare = toApiError({ ...origin, code: `http_${status}`, field: null, message });
  // a 5xx without an error body may come from a proxy: it does not show what the daemon did
  return status >= 500 ? new LostAnswerError(bare) : bare;
}

function readErrorBody(data: unknown): Pick<Refusal, "code" | "field" | "message"> | null {
  if (typeof data !== "object" || data === null || !("error" in data)) return null;
  const { error } = data;
  if (typeof error !== "object" || error === null || !("code" in error) || typeof error.code !== "string") return null;
  const field = "field" in error && typeof error.field === "string" ? error.field : null;
  const message = "message" in error && typeof error.message === "string" ? error.message : error.code;
  return { code: error.code, field, message };
}

/** An empty id, or one of dots only, would change the path. */
function buildPath(template: string, params: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (typeof value === "string" && !/^\.{0,2}$/.test(value)) return encodeURIComponent(value);
    throw argumentError(`${JSON.stringify(value)} is not a valid ${name}: it must not be empty, "." or "..".`);
  });
}

function buildSearchParams(query: object): URLSearchParams {
  return new URLSearchParams(
    Object.entries(query).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  );
}
