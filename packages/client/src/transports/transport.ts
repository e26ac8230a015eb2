/**
 * How requests reach the daemon. Any `fetch` will do, with two promises: it follows no redirect, and it throws a
 * `ConnectionError` or an `AbortError` of this package only where nothing was sent. Whatever else it throws leaves
 * the outcome of a mutation uncertain.
 */
export interface Transport {
  /** What stands before `/v1` in the address of a request, such as `http://localhost`. */
  readonly baseUrl: string;
  readonly fetch: (request: Request) => Promise<Response>;
}
