/**
 * Sends requests to the daemon. Any `fetch` works if it follows no redirects, and throws a `ConnectionError` or an
 * `AbortError` of this package only if nothing was sent. After any other error, the outcome of a mutation is uncertain.
 */
export interface Transport {
  /** The part of the URL before `/v1`, such as `http://localhost`. */
  readonly baseUrl: string;
  /** Sends one request and returns its response. */
  readonly fetch: (request: Request) => Promise<Response>;
}

/** A transport that keeps connections, and therefore has an end. */
export interface RemoteTransport extends Transport {
  readonly close: () => void;
}
