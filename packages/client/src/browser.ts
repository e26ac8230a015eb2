import { type Client, createClient } from "./create-client.ts";
import type { ClientOptions } from "./options.ts";
import { type FetchOptions, fetchTransport } from "./transports/fetch.ts";

/** The options of a client for browsers: where the requests are sent, and defaults for all calls. */
export interface BrowserOptions extends Omit<ClientOptions, "transport">, FetchOptions {}

/**
 * Creates a client that sends every call and stream with `fetch`, for a page whose server passes them on to a daemon. A
 * daemon itself rejects requests from browsers.
 *
 * ```ts
 * const client = connectBrowser({ baseUrl: "/daemon", headers: { authorization: `Bearer ${key}` } });
 * console.log(await client.health.get()); // GET /daemon/v1/health
 * ```
 */
export function connectBrowser({ baseUrl, fetch, ...options }: BrowserOptions): Client {
  return createClient({ ...options, transport: fetchTransport({ baseUrl, fetch }) });
}

export { type FetchOptions, fetchTransport } from "./transports/fetch.ts";
