import type { AnswerOf, BodyOf, OperationById, OperationId, ParsedInput } from "@belfry/contract";
import { type Answer, ApiPromise } from "./api-promise.ts";
import { createSend, type Letter, LostAnswerError, type Send } from "./call.ts";
import { checkProtocol } from "./compatibility.ts";
import { type Endpoint, endpoints } from "./endpoints.ts";
import { CompatibilityError } from "./errors.ts";
import type { CallOptions, ChangeOptions, ClientOptions, CreateOptions } from "./options.ts";
import { type ListAnswer, PagePromise } from "./page.ts";
import { backoffMs } from "./reconnect.ts";
import { retriesDefault } from "./retry.ts";
import { settleBy, type Settlement } from "./settle.ts";
import { UncertainOutcomeError } from "./uncertain.ts";

/** An operation's query as callers write it: numbers and booleans as such, though the wire has only text. */
export type QueryOf<I extends OperationId> = Extract<ParsedInput<OperationById<I>>["query"], object>;

/** The inputs of one call, each by itself as the contract has them. */
export interface CallInput<I extends OperationId> {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: QueryOf<I> | undefined;
  readonly body?: BodyOf<OperationById<I>> | undefined;
  readonly options?: (CreateOptions & ChangeOptions) | undefined;
  /** How to find out whether a mutation without an idempotency key took effect. */
  readonly settle?: () => Promise<Settlement>;
}

type Reply<I extends OperationId> = AnswerOf<OperationById<I>>;
type ListId = { [I in OperationId]: Reply<I> extends ListAnswer ? I : never }[OperationId];
type Draft = Letter & Pick<CallInput<OperationId>, "options" | "settle">;
type Decode<T> = (response: Response) => Promise<T>;

/** What the rooms call through: it adds what every call has, and says what a lost answer means. */
export class Caller {
  readonly delayMs: (failures: number) => number;
  readonly retries: number;
  readonly #send: Send;
  #isCompatible = false;

  constructor(options: ClientOptions) {
    this.#send = createSend(options);
    this.delayMs = options.delayMs ?? backoffMs;
    this.retries = options.retries ?? retriesDefault;
  }

  /** An operation that answers JSON, or nothing at all. */
  call<I extends OperationId>(id: I, input: CallInput<I> = {}): ApiPromise<Reply<I>> {
    return new ApiPromise(this.#answer(id, input, decodeJson<Reply<I>>));
  }

  /** An operation that answers page by page. */
  list<I extends ListId>(id: I, input: CallInput<I>): PagePromise<Reply<I> & ListAnswer> {
    const load = (cursor: string) => this.list(id, { ...input, query: Object.assign({}, input.query, { cursor }) });
    return new PagePromise(this.#answer(id, input, decodeJson<Reply<I> & ListAnswer>), load);
  }

  /** A read that answers raw bytes. */
  raw<I extends OperationId, T>(id: I, input: CallInput<I>, decode: Decode<T>): ApiPromise<T> {
    return new ApiPromise(this.#answer(id, { ...input, headers: { accept: "text/plain" } }, decode));
  }

  /** A read that answers server-sent events, as soon as it begins. */
  async stream<I extends OperationId>(id: I, input: CallInput<I>): Promise<Response> {
    const letter = { ...input, headers: { accept: "text/event-stream" }, isStream: true };
    const response = await this.#send(endpoints[id], letter).catch(rethrowAsRead);
    if (response.headers.get("content-type")?.startsWith("text/event-stream") === true) return response;
    await response.body?.cancel();
    throw new CompatibilityError("What answers is no stream of events: is this a Belfry daemon?");
  }

  #answer<T>(id: OperationId, draft: Draft, decode: Decode<T>): Promise<Answer<T>> {
    const isRead = endpoints[id].kind === "read";
    return isRead ? this.#exchange(id, draft, decode).catch(rethrowAsRead) : this.#mutate(id, draft, decode);
  }

  async #mutate<T>(id: OperationId, draft: Draft, decode: Decode<T>): Promise<Answer<T>> {
    const { options = {}, settle } = draft;
    await this.#ensureCompatible(options);
    const { keyed }: Endpoint = endpoints[id];
    const key = keyed === true ? (options.idempotencyKey ?? crypto.randomUUID()) : null;
    const headers = { ...(key === null ? {} : { "idempotency-key": key }), ...conditionOf(options) };
    // the former signal may have been what lost the answer
    const again = { ...draft, options: { ...options, idempotencyKey: key ?? undefined, signal: undefined } };
    return this.#exchange(id, { ...draft, headers }, decode).catch((error: unknown) => {
      if (!(error instanceof LostAnswerError)) throw error;
      throw new UncertainOutcomeError<T>({
        operation: id,
        idempotencyKey: key,
        cause: error.cause,
        settle: key === null ? (settle ?? (() => Promise.resolve("unknown"))) : () => this.#settleByKey(id, key),
        retry: () => new ApiPromise(this.#mutate(id, again, decode)),
      });
    });
  }

  async #exchange<T>(id: OperationId, letter: Letter, decode: Decode<T>): Promise<Answer<T>> {
    const response = await this.#send(endpoints[id], letter);
    return { response, data: await decode(response.clone()) };
  }

  /** Before the first mutation, and until it once succeeds. */
  async #ensureCompatible({ signal, timeoutMs, headers }: CallOptions): Promise<void> {
    if (this.#isCompatible) return;
    checkProtocol(await this.call("manifest.get", { options: { signal, timeoutMs, headers } }));
    this.#isCompatible = true;
  }

  /** A key counts by operation, and the answer tells only of its last use: another's hides whether there was this one. */
  #settleByKey(id: OperationId, key: string): Promise<Settlement> {
    return settleBy(this.call("idempotency.get", { params: { key } }), (use) => {
      if (!use.used) return "not_committed";
      return use.operation === id ? "committed" : "unknown";
    });
  }
}

function rethrowAsRead(error: unknown): never {
  throw error instanceof LostAnswerError ? error.cause : error;
}

function conditionOf({ ifMatch }: ChangeOptions): Readonly<Record<string, string>> {
  if (ifMatch === undefined) return {};
  return { "if-match": ifMatch === "*" ? "*" : `"${ifMatch}"` };
}

async function decodeJson<T>(response: Response): Promise<T> {
  // an operation without an answer is typed undefined
  if (response.status === 204) return undefined as T;
  try {
    const data: unknown = JSON.parse(await response.text());
    // the daemon keeps to the contract; only its tests check that
    return data as T;
  } catch {
    throw new LostAnswerError(new CompatibilityError("The answer is not JSON: is this a Belfry daemon?"));
  }
}
