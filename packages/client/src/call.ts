import ky, { isHTTPError, isTimeoutError, type RetryOptions } from "ky";
import { type Refusal, toApiError } from "./api-error.ts";
import type { Endpoint } from "./endpoints.ts";
import { AbortError, BelfryError, ConnectionError, TimeoutError } from "./errors.ts";
import type { CallOptions, ClientOptions } from "./options.ts";
import { backoffMs, delayMaxMs } from "./reconnect.ts";
import { isTransient, retriesDefault, transientStatuses } from "./retry.ts";
import type { Transport } from "./transports/transport.ts";

const timeoutDefaultMs = 30_000;

/** What one call says, besides its address. */
export interface Letter {
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: object | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly options?: CallOptions | undefined;
  /** A stream is answered as soon as it begins, and is for its reader to try again. */
  readonly isStream?: boolean;
}

export type Send = (endpoint: Endpoint, letter: Letter) => Promise<Response>;

/** The request may have arrived, and no complete answer came: what that means depends on the operation. Never leaves this package. */
export class LostAnswerError extends BelfryError {
  override readonly cause: BelfryError;

  constructor(cause: BelfryError) {
    super(cause.message);
    this.cause = cause;
  }
}

/** One exchange with the daemon: encoded, sent, read to its end, and every way to fail turned into an error of ours. */
export function createSend(options: ClientOptions): Send {
  const { transport, hooks, headers } = options;
  const http = ky.create({
    prefix: `${transport.baseUrl}/v1`,
    redirect: "error",
    ...(hooks === undefined ? {} : { hooks }),
    ...(headers === undefined ? {} : { headers }),
  });
  const retry = retryOf(options);

  return async (endpoint, letter) => {
    const timeoutMs = letter.options?.timeoutMs ?? options.timeoutMs ?? timeoutDefaultMs;
    const signal = letter.options?.signal;
    try {
      return await http(pathOf(endpoint.path, letter.params ?? {}), {
        method: endpoint.method,
        headers: { accept: "application/json", ...letter.options?.headers, ...letter.headers },
        searchParams: searchOf(letter.query ?? {}),
        ...(letter.body === undefined ? {} : { json: letter.body }),
        ...(signal === undefined ? {} : { signal }),
        timeout: timeoutMs,
        // ky's own rule would replay PUT and DELETE
        retry: endpoint.method === "get" && letter.isStream !== true ? retry : 0,
        fetch: (request) => exchange(transport.fetch, request as Request, letter.isStream === true),
      });
    } catch (error) {
      throw classify(error, timeoutMs, signal);
    }
  };
}

function retryOf(options: ClientOptions): RetryOptions {
  return {
    limit: options.retries ?? retriesDefault,
    methods: ["get"],
    statusCodes: [...transientStatuses],
    delay: options.delayMs ?? backoffMs,
    backoffLimit: delayMaxMs,
    maxRetryAfter: delayMaxMs,
    // answers are left to the list of statuses, so that Retry-After is obeyed
    shouldRetry: ({ error }) =>
      isHTTPError(error) ? undefined : isTransient(error instanceof LostAnswerError ? error.cause : error),
  };
}

/** An ordinary answer is read whole before it counts: a body cut short is a lost answer like any other. */
async function exchange(fetch: Transport["fetch"], request: Request, isStream: boolean): Promise<Response> {
  const { signal } = request;
  if (signal.aborted) throw new AbortError(signal);
  try {
    const response = await fetch(request);
    if (isStream && response.ok) return response;
    const body = await response.arrayBuffer();
    const { status, headers } = response;
    return new Response(body.byteLength === 0 ? null : body, { status, headers });
  } catch (cause) {
    if (cause instanceof BelfryError) throw cause;
    const broken = "The connection to the daemon broke before the answer was complete.";
    throw new LostAnswerError(signal.aborted ? new AbortError(signal) : new ConnectionError(broken, { cause }));
  }
}

/** ky's errors hold the request with its body, so none of them is kept, not even as a cause. */
function classify(error: unknown, timeoutMs: number, signal: AbortSignal | undefined): unknown {
  if (isHTTPError(error)) return classifyRefusal(error.response, error.data);
  if (isTimeoutError(error)) return new LostAnswerError(new TimeoutError(`No answer came within ${timeoutMs} ms.`));
  return error instanceof BelfryError || signal?.aborted !== true ? error : new AbortError(signal);
}

function classifyRefusal(response: Response, data: unknown): BelfryError {
  const { status } = response;
  const origin = { status, requestId: response.headers.get("x-request-id") };
  const reason = reasonIn(data);
  if (reason !== null) return toApiError({ ...origin, ...reason });
  const message = `The answer was HTTP ${status} and gave no reason.`;
  const bare = toApiError({ ...origin, code: `http_${status}`, field: null, message });
  // a 5xx that is not the daemon's own word says nothing about what the daemon did
  return status >= 500 ? new LostAnswerError(bare) : bare;
}

function reasonIn(data: unknown): Pick<Refusal, "code" | "field" | "message"> | null {
  if (typeof data !== "object" || data === null || !("error" in data)) return null;
  const { error } = data;
  if (typeof error !== "object" || error === null || !("code" in error) || typeof error.code !== "string") return null;
  const field = "field" in error && typeof error.field === "string" ? error.field : null;
  const message = "message" in error && typeof error.message === "string" ? error.message : error.code;
  return { code: error.code, field, message };
}

/** An id that is empty or all dots would name another path than the one meant. */
function pathOf(template: string, params: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (typeof value === "string" && !/^\.{0,2}$/.test(value)) return encodeURIComponent(value);
    throw new TypeError(`${JSON.stringify(value)} cannot be the ${name} of a resource.`);
  });
}

function searchOf(query: object): URLSearchParams {
  return new URLSearchParams(
    Object.entries(query).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  );
}
