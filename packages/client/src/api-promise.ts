/** The decoded data and the HTTP response, whose body can still be read, because a copy of it was decoded. */
export interface Answer<T> {
  readonly data: T;
  readonly response: Response;
}

/**
 * A call in progress. Await it for the decoded JSON; `asResponse` and `withResponse` also give the HTTP response. The
 * request is sent immediately, even if nobody awaits it.
 */
export class ApiPromise<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = "ApiPromise";
  readonly #answer: Promise<Answer<T>>;

  constructor(answer: Promise<Answer<T>>) {
    this.#answer = answer;
  }

  /** The HTTP response, with its body unread. If the daemon rejects the call, this method also throws. */
  async asResponse(): Promise<Response> {
    return (await this.#answer).response;
  }

  /** The data, the HTTP response, and the id of this call. If the call is audited, its audit row has this id as `request_id`. */
  async withResponse(): Promise<Answer<T> & { readonly requestId: string | null }> {
    const { data, response } = await this.#answer;
    return { data, response, requestId: response.headers.get("x-request-id") };
  }

  then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#answer.then(({ data }) => data).then(onFulfilled, onRejected);
  }

  catch<B = never>(onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.then(null, onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<T> {
    return this.then().finally(onFinally);
  }
}
