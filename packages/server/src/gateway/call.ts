import type { Operation } from "@belfry/contract";
import { invariant } from "../kernel/errors/invariant.ts";
import type { Actor, StreamAnswer } from "../kernel/operation.ts";
import type { AnyFact, Unit } from "../kernel/storage/write.ts";
import type { Instant } from "../kernel/time/time.ts";

/** One call as the transport parsed it, with the two headers that concern a write. */
export interface GatewayCall {
  readonly params: Readonly<Record<string, string>> | undefined;
  readonly query: unknown;
  readonly body: unknown;
  /** The body without the schema's defaults; of a large body only the hash, which is computed where it is parsed. */
  readonly sentBody: { readonly value: unknown } | { readonly hash: string };
  readonly actor: Actor;
  readonly now: Instant;
  readonly signal: AbortSignal;
  readonly wantsEvents: boolean;
  readonly requestId: string;
  readonly ifMatch: string | null;
  readonly idempotencyKey: string | null;
}

export interface GatewayAnswer {
  readonly status: number;
  /** Undefined if the operation answers without a body. A `LinesAnswer` if it answers with lines. */
  readonly body: object | undefined;
  readonly stream: StreamAnswer | null;
  readonly isReplay: boolean;
}

/** An operation as the gateway calls it. The compiler has checked each one against its module's own types. */
export type ServedOperation = ServedMembers & (Handled | Prepared);

interface Handled {
  readonly handle: ((unit: Unit<AnyFact>, call: GatewayCall) => unknown) & ((call: GatewayCall) => unknown);
  readonly prepare?: undefined;
}

interface Prepared {
  readonly prepare: (call: GatewayCall) => Promise<PreparedCall>;
  readonly handle?: undefined;
}

/** A write that is ready for its transaction; kernel/operation.ts describes its members. */
export interface PreparedCall {
  readonly commit: (unit: Unit<AnyFact>, call: GatewayCall) => unknown;
  readonly actorOf?: (answer: unknown) => Actor;
  readonly done?: () => void | Promise<void>;
  readonly undo?: () => void | Promise<void>;
}

interface ServedMembers {
  /** Answers a repeated call from the id of the resource that the first one made. */
  readonly replay?: (call: GatewayCall, madeId: string) => object;
  /** Returns the resource of a refused call, if its path names none. */
  readonly concern?: (call: GatewayCall) => string | null;
}

/** The caller of a refused call, and the resource that the call concerned. */
export interface Caller {
  readonly actor: Actor;
  readonly requestId: string;
  readonly id: string | null;
  /** Called only if the path names no resource. */
  readonly concern?: () => string | null;
}

export function answerOf(operation: Operation, answer: unknown): GatewayAnswer {
  const { response } = operation;
  if (response.kind === "events" || response.kind === "bytes" || response.kind === "file")
    return { status: 200, body: undefined, stream: answer as StreamAnswer, isReplay: false };
  if (response.kind === "empty") return { status: response.status, body: undefined, stream: null, isReplay: false };
  const status = response.kind === "ndjson" ? 200 : response.status;
  return { status, body: answer as object, stream: null, isReplay: false };
}

/** Returns the handler of an operation that is served without preparation, as every read is that is not audited. */
export function handlerOf({ handle }: ServedOperation): Handled["handle"] {
  invariant(handle !== undefined, "a read that is not audited is not prepared");
  return handle;
}

export function callerOf(call: GatewayCall): Caller {
  return { actor: call.actor, requestId: call.requestId, id: idOf(call) };
}

export function idOf(call: GatewayCall): string | null {
  return call.params?.["id"] ?? null;
}

/** Reads the member of an answer at a path. The descriptor of the operation guarantees that it exists. */
export function memberOf(answer: GatewayAnswer, path: string): string {
  const found = path.split(".").reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], answer.body);
  invariant(typeof found === "string", `the answer has ${path}`);
  return found;
}

export function membersOf(body: unknown): readonly string[] {
  return typeof body === "object" && body !== null ? Object.keys(body) : [];
}
