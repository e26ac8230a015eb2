import type { Transport } from "./transport.ts";

/** Where requests are sent, and with which `fetch`. */
export interface FetchOptions {
  /** The part of the URL before `/v1`: a URL, or in a page a path such as `/daemon`. An empty text is the page's own server. */
  readonly baseUrl: string;
  /** Sends one request. Default: the global `fetch`. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
}

/**
 * Creates a transport that sends requests with `fetch`, which does not say whether a failed request was sent. So a mutation
 * without an answer is always an `UncertainOutcomeError`.
 */
export function fetchTransport({ baseUrl, fetch }: FetchOptions): Transport {
  return {
    baseUrl: baseUrl.replace(/\/+$/, ""),
    // called as a function of nothing: browsers refuse to call it as a method of another object
    fetch: (request) => (fetch ?? globalThis.fetch)(request),
  };
}
