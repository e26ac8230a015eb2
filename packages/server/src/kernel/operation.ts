import type { AnswerOf, Capability, CatalogueOperation, Operation, ParsedInput } from "@belfry/contract";
import type { AnyFact, Unit } from "./storage/write.ts";
import type { Instant } from "./time/time.ts";

/** Who calls, as the transport resolved it. */
export interface Actor {
  readonly id: string;
  readonly name: string;
  readonly capability: Capability;
  readonly transport: "local" | "remote";
}

/** One call of an operation: its separate, parsed inputs and who makes it. */
export interface Call<O extends Operation> extends ParsedInput<O> {
  readonly actor: Actor;
  readonly now: Instant;
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal;
  /** `text/event-stream` where the caller asked for events. */
  readonly wantsEvents: boolean;
}

/** One frame of a stream of server-sent events, or all of one but its id, encoded once for the many readers who get it. */
export type SseFrame =
  | { readonly event: string; readonly json: string; readonly id?: string }
  | { readonly id: string; readonly shared: Uint8Array }
  | { readonly comment: string };

/** What a streaming operation answers with: batches, so that what waits together is written together. */
export type StreamAnswer =
  | { readonly kind: "events"; readonly batches: AsyncIterable<readonly SseFrame[]>; readonly retryMs?: number }
  | { readonly kind: "pushed"; readonly start: (sink: FrameSink) => PushSource; readonly retryMs: number }
  | { readonly kind: "bytes"; readonly chunks: AsyncIterable<Uint8Array> };

/** Where frames are pushed to: a promise for each frame and reader would be most of what a thousand readers cost. */
export interface FrameSink {
  /** False where it can take no more for now: `onReady` says when it can. One array for many readers is put together once. */
  readonly write: (frames: readonly SseFrame[]) => boolean;
  /** Nothing follows. */
  readonly end: () => void;
}

export interface PushSource {
  readonly onReady: () => void;
  /** The reader has gone. */
  readonly close: () => void;
}

type Answer<O extends Operation> = O["response"] extends { readonly kind: "events" | "bytes" }
  ? StreamAnswer
  : O["response"] extends { readonly kind: "empty" }
    ? void
    : AnswerOf<O>;

export type ReadHandler<O extends Operation> = (call: Call<O>) => Answer<O>;
export type WriteHandler<O extends Operation, F extends AnyFact> = (unit: Unit<F>, call: Call<O>) => Answer<O>;

/** Whether a repeated call is answered by its own room: it reveals a secret, or no other operation answers alike. */
type IsReplayedByRoom<O extends Operation> = O extends { readonly replayedBy: infer R }
  ? R extends O["id"]
    ? true
    : Extract<CatalogueOperation, { readonly id: R }>["audited"]
  : false;
/** Answers a repeated call from what its first one made. */
export type ReplayHandler<O extends Operation> = (call: Call<O>, madeId: string) => Answer<O>;
/** One for each operation of a list that needs it; a missing one does not compile. */
export type ReplaysOf<C extends readonly Operation[]> = {
  readonly [O in C[number] as true extends IsReplayedByRoom<O> ? O["id"] : never]: ReplayHandler<O>;
};

/** One for each operation whose answer alone names the resource it concerns: of a refused call, for the audit trail only. */
export type ConcernsOf<C extends readonly Operation[]> = {
  readonly [O in C[number] as O extends { readonly concerns: string } ? O["id"] : never]: (
    call: Call<O>,
  ) => string | null;
};

/** One handler for each operation of a list; a missing one does not compile. */
export type HandlersOf<C extends readonly Operation[], F extends AnyFact = never> = {
  readonly [O in C[number] as O["id"]]: O["kind"] extends "write" ? WriteHandler<O, F> : ReadHandler<O>;
};
