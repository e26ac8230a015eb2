import type { AnswerOf, BodyOf, LineOf, OperationById, OperationId, ParsedInput } from "@belfry/contract";
import { type Answer, ApiPromise } from "./api-promise.ts";
import { backoffMs } from "./backoff.ts";
import { checkProtocol } from "./compatibility.ts";
import { type Endpoint, endpoints } from "./endpoints.ts";
import { CompatibilityError } from "./errors.ts";
import { findOutcomeWith, type Settlement } from "./find-outcome.ts";
import { readLines } from "./lines.ts";
import type { CallOptions, ChangeOptions, ClientOptions, CreateOptions } from "./options.ts";
import { type ListAnswer, PagePromise } from "./page.ts";
import { retriesDefault } from "./retry.ts";
import { tracing } from "./stack-trace.ts";
import { createSend, LostAnswerError, type RequestParts, type Send, wholeResponse } from "./send.ts";
import { UncertainOutcomeError } from "./uncertain-outcome-error.ts";

/** An operation's query as callers write it: with numbers and booleans, which are sent as text. */
export type QueryOf<I extends OperationId> = Extract<ParsedInput<OperationById<I>>["query"], object>;

/** The inputs of one call, separated as in the contract. */
export interface CallInput<I extends OperationId> {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: QueryOf<I> | undefined;
  readonly body?: BodyOf<OperationById<I>> | undefined;
  readonly options?: (CreateOptions & ChangeOptions) | undefined;
  /** Finds out whether a mutation without an idempotency key took effect. */
  readonly findOutcome?: () => Promise<Settlement>;
  /** The call only tries a mutation, so a lost answer leaves nothing in doubt. */
  readonly changesNothing?: boolean;
}

type Reply<I extends OperationId> = AnswerOf<OperationById<I>>;
type ListId = { [I in OperationId]: Reply<I> extends ListAnswer ? I : never }[OperationId];
type LinesId = { [I in OperationId]: [LineOf<OperationById<I>>] extends [never] ? never : I }[OperationId];
type AnyCallInput = RequestParts & Pick<CallInput<OperationId>, "options" | "findOutcome" | "changesNothing">;
type Decode<T> = (body: Uint8Array<ArrayBuffer>, status: number) => T;

/** The daemon copies its whole database before it answers. */
const fileTimeoutMs = 3_600_000;

/** Sends the calls of all API classes. It adds the common headers, and turns a lost answer into a public error. */
export class Caller {
  readonly delayMs: (failures: number) => number;
  readonly retries: number;
  readonly #send: Send;
  #isCompatible: boolean;

  /** `isCompatible`: the transport checks the daemon itself. */
  constructor(options: ClientOptions, { isCompatible = false }: { readonly isCompatible?: boolean } = {}) {
    this.#isCompatible = isCompatible;
    this.#send = createSend(options);
    this.delayMs = options.delayMs ?? backoffMs;
    this.retries = options.retries ?? retriesDefault;
  }

  /** Calls an operation that answers JSON, or nothing. */
  call<I extends OperationId>(id: I, input: CallInput<I> = {}): ApiPromise<Reply<I>> {
    return new ApiPromise(this.#answer(id, input, decodeJson<Reply<I>>));
  }

  /** Calls an operation that answers in pages. */
  list<I extends ListId>(id: I, input: CallInput<I>): PagePromise<Reply<I> & ListAnswer> {
    const load = (cursor: string) => this.list(id, { ...input, query: Object.assign({}, input.query, { cursor }) });
    return new PagePromise(this.#answer(id, input, decodeJson<Reply<I> & ListAnswer>), load);
  }

  /** Calls a read that answers raw bytes. */
  raw<I extends OperationId, T>(id: I, input: CallInput<I>, decode: Decode<T>): ApiPromise<T> {
    return new ApiPromise(this.#answer(id, { ...input, headers: { accept: "text/plain" } }, decode));
  }

  /** Calls a read that answers one JSON object per line. Resolves when the answer starts. */
  async lines<I extends LinesId>(
    id: I,
    input: CallInput<I>,
  ): Promise<{
    readonly lines: AsyncGenerator<LineOf<OperationById<I>>, void, undefined>;
    readonly nextCursor: string | null;
  }> {
    const response = await this.#open(id, input, { type: "application/x-ndjson", what: "a list of lines" });
    return { lines: readLines(response), nextCursor: response.headers.get("x-next-cursor") };
  }

  /** Calls a read that answers a file. Resolves when the answer starts. */
  async file<I extends OperationId>(id: I, input: CallInput<I>): Promise<ReadableStream<Uint8Array>> {
    const parts = { ...input, timeoutMs: fileTimeoutMs };
    const response = await this.#open(id, parts, { type: "application/x-tar", what: "a backup" });
    // a body of this type is never empty
    return response.body!;
  }

  /** Calls a read that answers server-sent events. Resolves when the stream starts. */
  stream<I extends OperationId>(id: I, input: CallInput<I>): Promise<Response> {
    return this.#open(id, input, { type: "text/event-stream", what: "an event stream" });
  }

  #answer<T>(id: OperationId, input: AnyCallInput, decode: Decode<T>): Promise<Answer<T>> {
    const isRead = endpoints[id].kind === "read";
    return tracing(
      isRead ? this.#exchange(id, input, decode).catch(rethrowReadError) : this.#mutate(id, input, decode),
    );
  }

  /** Opens a stream of one type. Lines are retried until they start: their reader cannot reconnect. */
  async #open(
    id: OperationId,
    input: RequestParts,
    { type, what }: { readonly type: string; readonly what: string },
  ): Promise<Response> {
    const isRetried = type === "application/x-ndjson";
    const parts = { ...input, headers: { accept: type }, isStream: true, isRetried };
    const response = await tracing(this.#send(endpoints[id], parts).catch(rethrowReadError));
    if (response.headers.get("content-type")?.startsWith(type) === true) return response;
    await response.body?.cancel();
    throw new CompatibilityError(`The answer is not ${what}. Check that the server is a Belfry daemon.`);
  }

  async #mutate<T>(id: OperationId, input: AnyCallInput, decode: Decode<T>): Promise<Answer<T>> {
    const { options = {}, findOutcome } = input;
    // the socket for fires has no manifest, and a fire is the same in every daemon that has this path
    if (id !== "triggers.fire") await this.#ensureCompatible(options);
    const { keyed }: Endpoint = endpoints[id];
    // a random key in place of the caller's header would repeat what was meant to happen once
    const given = options.idempotencyKey ?? new Headers(options.headers).get("idempotency-key");
    const key = keyed === true ? (given ?? crypto.randomUUID()) : null;
    const headers = { ...(key === null ? {} : { "idempotency-key": key }), ...ifMatchHeader(options) };
    // without the signal: its abort may have lost the answer
    const again = { ...input, options: { ...options, idempotencyKey: key ?? undefined, signal: undefined } };
    return this.#exchange(id, { ...input, headers }, decode).catch((error: unknown) => {
      if (!(error instanceof LostAnswerError)) throw error;
      if (input.changesNothing === true) rethrowReadError(error);
      throw new UncertainOutcomeError<T>({
        operation: id,
        idempotencyKey: key,
        cause: error.cause,
        findOutcome:
          key === null ? (findOutcome ?? (() => Promise.resolve("unknown"))) : () => this.#findOutcomeByKey(id, key),
        retry: () => new ApiPromise(this.#mutate(id, again, decode)),
      });
    });
  }

  async #exchange<T>(id: OperationId, parts: RequestParts, decode: Decode<T>): Promise<Answer<T>> {
    const sent = await this.#send(endpoints[id], parts);
    const body = await sent.arrayBuffer();
    let response: Response | undefined;
    return {
      data: decode(new Uint8Array(body), sent.status),
      // made for the few who ask for it: to copy a large body takes as long as to decode it
      get response() {
        return (response ??= wholeResponse(body, sent));
      },
    };
  }

  /** Checks the protocol before the first mutation, and again before the next one until a check succeeds. */
  async #ensureCompatible({ signal, timeoutMs, headers }: CallOptions): Promise<void> {
    if (this.#isCompatible) return;
    checkProtocol(await this.call("manifest.get", { options: { signal, timeoutMs, headers } }));
    this.#isCompatible = true;
  }

  /**
   * The daemon reports only the last use of a key, whichever operation used it. Another operation may have used the same key
   * later, so its use hides ours: then the outcome is unknown.
   */
  #findOutcomeByKey(id: OperationId, key: string): Promise<Settlement> {
    return findOutcomeWith(this.call("idempotency.get", { params: { key } }), (use) => {
      if (!use.used) return "not_committed";
      return use.operation === id ? "committed" : "unknown";
    });
  }
}

function rethrowReadError(error: unknown): never {
  throw error instanceof LostAnswerError ? error.cause : error;
}

function ifMatchHeader({ ifMatch }: ChangeOptions): Readonly<Record<string, string>> {
  if (ifMatch === undefined) return {};
  return { "if-match": ifMatch === "*" ? "*" : `"${ifMatch}"` };
}

function decodeJson<T>(body: Uint8Array, status: number): T {
  // the type of an operation without an answer is undefined
  if (status === 204) return undefined as T;
  try {
    const data: unknown = JSON.parse(new TextDecoder().decode(body));
    // tests of the daemon check its answers against the contract; the SDK does not
    return data as T;
  } catch {
    throw new LostAnswerError(
      new CompatibilityError("The answer is not JSON. Check that the server is a Belfry daemon."),
    );
  }
}
