/** One complete answer: what it says, and the response it came in with its body still unread. */
export interface Answer<T> {
  readonly data: T;
  readonly response: Response;
}

/**
 * A call under way. Awaiting it gives the plain object of the wire; `asResponse` and `withResponse` give what came around it.
 * It is sent at once, whether awaited or not.
 */
export class ApiPromise<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = "ApiPromise";
  readonly #answer: Promise<Answer<T>>;

  constructor(answer: Promise<Answer<T>>) {
    this.#answer = answer;
  }

  /** The response itself, body unread. Refusals throw here too. */
  async asResponse(): Promise<Response> {
    return (await this.#answer).response;
  }

  /** The data with its response and the id of this call, which is its `request_id` in the audit trail where it is audited. */
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
