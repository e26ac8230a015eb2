import type { z } from "zod";
import type { Capability } from "./capability.ts";
import { type ErrorCode } from "./errors.ts";

/** How an operation answers. */
export type ResponseKind =
  | {
      readonly kind: "json";
      readonly status: 200 | 201 | 202;
      readonly schema: z.ZodType;
      readonly preview?: z.ZodType;
    }
  | { readonly kind: "empty"; readonly status: 204 }
  | { readonly kind: "events"; readonly schema: z.ZodType }
  | { readonly kind: "bytes"; readonly events: z.ZodType };

/** One management operation, from which routes, checks, audit, documents and the SDK's types are made. */
export interface Operation {
  /** `room.verb`; the operation's name in the audit trail and in OpenAPI. */
  readonly id: `${string}.${string}`;
  readonly method: "get" | "post" | "patch" | "put" | "delete";
  /** Without the version: `/tasks/{id}` is served at `/v1/tasks/{id}`. */
  readonly path: `/${string}`;
  readonly summary: string;
  readonly description?: string;
  /** `write` runs in one transaction; `read` changes nothing. */
  readonly kind: "read" | "write";
  readonly capability: Capability;
  /** Part of the remote allowlist. */
  readonly remote: boolean;
  /** Leaves an audit row: every write, and the reads that reveal. */
  readonly audited: boolean;
  /** What it concerns, as named in the audit trail. */
  readonly resource: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** No body at all stands for `{}`. */
  readonly bodyOptional?: boolean;
  readonly bodyBytesMax?: number;
  /** Values and names of members in the body; a large body could otherwise become many times its size once parsed. */
  readonly bodyValuesMax?: number;
  readonly response: ResponseKind;
  /** Beyond the ones every operation may answer (`commonErrors`). */
  readonly errors: readonly ErrorCode[];
  /** Accepts `If-Match` against the resource's `revision`. */
  readonly conditional?: boolean;
  /**
   * Accepts `Idempotency-Key`; a replay is answered by this operation, called with the id that the first call made. One
   * that is audited reveals a secret, and so does the replay; the operation itself has a rendering of its own.
   */
  readonly replayedBy?: `${string}.${string}`;
  /** Where the answer names what was made, members from the outside in; `id` unless told. */
  readonly makes?: string;
  /** Where the answer names the resource it concerns, when neither the path does nor what was made is it. */
  readonly concerns?: string;
  /** A body to show in the document. */
  readonly example?: unknown;
}

/** Keeps the literal types of one descriptor while checking its shape. */
export function defineOperation<const O extends Operation>(operation: O): O {
  return operation;
}

/** Codes any call may meet, whatever the operation: what stands before the handler answers them. */
export function commonErrors(operation: Operation): readonly ErrorCode[] {
  return [
    "validation_failed",
    "forbidden",
    "origin_rejected",
    ...(operation.body === undefined ? [] : (["payload_too_large", "unsupported_media_type"] as const)),
    ...(operation.conditional === true ? (["precondition_failed"] as const) : []),
    ...(operation.replayedBy === undefined ? [] : (["conflict"] as const)),
    ...(operation.audited ? (["audit_unavailable"] as const) : []),
    "internal",
  ];
}

/** Every code the operation may answer with, each once. */
export function errorsOf(operation: Operation): readonly ErrorCode[] {
  return [...new Set([...commonErrors(operation), ...operation.errors])];
}

type OutputOfSchema<S> = S extends z.ZodType ? z.output<S> : undefined;
type InputOfSchema<S> = S extends z.ZodType ? z.input<S> : undefined;
type Member<O, K extends string> = O extends { readonly [P in K]: infer V } ? V : undefined;

/** What a handler receives: parsed, with defaults filled in. Separate inputs, never merged. */
export interface ParsedInput<O extends Operation> {
  readonly params: OutputOfSchema<Member<O, "params">>;
  readonly query: OutputOfSchema<Member<O, "query">>;
  readonly body: OutputOfSchema<Member<O, "body">>;
}

/** What a caller sends. */
export type BodyOf<O extends Operation> = InputOfSchema<Member<O, "body">>;
export type QueryOf<O extends Operation> = InputOfSchema<Member<O, "query">>;

/** What a caller gets. */
export type AnswerOf<O extends Operation> = O["response"] extends { readonly kind: "json"; readonly schema: infer S }
  ? OutputOfSchema<S>
  : undefined;
