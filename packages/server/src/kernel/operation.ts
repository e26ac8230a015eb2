import type { AnswerOf, CatalogueOperation, LineOf, Operation, ParsedInput, Viewer } from "@belfry/contract";
import type { AnyFact, Unit } from "./storage/write.ts";
import type { Instant } from "./time/time.ts";

/** The caller, as the transport identified it. */
export interface Actor extends Viewer {
  readonly id: string;
  readonly name: string;
  /** Null for callers of the protected socket, which need none. */
  readonly credentialId: string | null;
}

/** One call of an operation: its parsed inputs and its caller. */
export interface Call<O extends Operation> extends ParsedInput<O> {
  readonly actor: Actor;
  readonly now: Instant;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
  /** `text/event-stream` if the caller accepts events. */
  readonly wantsEvents: boolean;
}

/** One frame of a stream of server-sent events. A `shared` frame lacks its id and was encoded once for many readers. */
export type SseFrame =
  | { readonly event: string; readonly json: string; readonly id?: string }
  | { readonly id: string; readonly shared: Uint8Array }
  | { readonly comment: string };

/**
 * The answer of a streaming operation. Frames come in batches, so that frames that wait together are written together.
 */
export type StreamAnswer =
  | { readonly kind: "events"; readonly batches: AsyncIterable<readonly SseFrame[]>; readonly retryMs?: number }
  | { readonly kind: "pushed"; readonly start: (sink: FrameSink) => PushSource; readonly retryMs: number }
  | { readonly kind: "bytes"; readonly chunks: AsyncIterable<Uint8Array> };

/**
 * Takes frames that are pushed. A promise for each frame and reader would be most of the cost of a thousand readers.
 */
export interface FrameSink {
  /**
   * Returns false if the socket is full; `onReady` is called when it is ready again. An array that many readers get is
   * encoded once.
   */
  readonly write: (frames: readonly SseFrame[]) => boolean;
  /** Ends the stream. */
  readonly end: () => void;
}

export interface PushSource {
  readonly onReady: () => void;
  /** Called when the reader has disconnected. */
  readonly close: () => void;
}

/** The answer of an operation with lines. Each line is written as JSON. */
export interface LinesAnswer<T = unknown> {
  readonly lines: readonly T[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

type Answer<O extends Operation> = O["response"] extends { readonly kind: "events" | "bytes" | "file" }
  ? StreamAnswer
  : O["response"] extends { readonly kind: "empty" }
    ? void
    : O["response"] extends { readonly kind: "ndjson" }
      ? LinesAnswer<LineOf<O>>
      : AnswerOf<O>;

export type ReadHandler<O extends Operation> = (call: Call<O>) => Answer<O>;
export type WriteHandler<O extends Operation, F extends AnyFact> = (unit: Unit<F>, call: Call<O>) => Answer<O>;

/**
 * A call whose work cannot all be done in its transaction, such as opening a port or copying the database. `prepare`
 * does that work once the call is admitted and parsed, and returns the rest. If `prepare` throws, it leaves nothing.
 */
export type Prepare<O extends Operation, F extends AnyFact> = (call: Call<O>) => Promise<PreparedWrite<O, F>>;

export interface PreparedWrite<O extends Operation, F extends AnyFact> {
  /** Does the rest of the work in the transaction of the call, with its audit row. */
  readonly commit: WriteHandler<O, F>;
  /** Returns the actor of the audit row from the answer, if the call itself decides who its actor is. */
  readonly actorOf?: (answer: Answer<O>) => Actor;
  /** Runs after the commit, and before the answer. */
  readonly done?: () => void | Promise<void>;
  /** Undoes the preparation, because the write failed. */
  readonly undo?: () => void | Promise<void>;
}

/** A call that the gateway may repeat, or compare with a revision, cannot be prepared before it is. */
type MayPrepare<O extends Operation> = O extends
  | { readonly kind: "read"; readonly audited: false }
  | { readonly replayedBy: string }
  | { readonly conditional: true }
  ? false
  : true;

type Handled<O extends Operation, F extends AnyFact> = {
  readonly handle: O["kind"] extends "write" ? WriteHandler<O, F> : ReadHandler<O>;
};

/** Whether the module itself answers a repeated call: it reveals a secret, or no other operation has the same answer. */
type IsReplayedByModule<O extends Operation> = O extends { readonly replayedBy: infer R }
  ? R extends O["id"]
    ? true
    : Extract<CatalogueOperation, { readonly id: R }>["audited"]
  : false;

/** A module's implementation of one operation. It must have the members that the descriptor requires, and no others. */
export type ServedOperation<O extends Operation, F extends AnyFact> = (
  | Handled<O, F>
  | (MayPrepare<O> extends true ? { readonly prepare: Prepare<O, F> } : never)
) &
  (true extends IsReplayedByModule<O>
    ? {
        /** Answers a repeated call from the id of the resource that the first call made. */
        readonly replay: (call: Call<O>, madeId: string) => Answer<O>;
      }
    : unknown) &
  (O extends { readonly concerns: string }
    ? {
        /** Returns the resource of a refused call, for the audit trail: its path does not name it. */
        readonly concern: (call: Call<O>) => string | null;
      }
    : unknown);

/** The operations of a list, each under its id; a missing one does not compile. */
export type OperationsOf<C extends readonly Operation[], F extends AnyFact = never> = {
  readonly [O in C[number] as O["id"]]: ServedOperation<O, F>;
};
