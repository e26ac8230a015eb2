import type { z } from "zod";
import type { Capability } from "./capability.ts";
import { type ErrorCode } from "./errors.ts";

/** The ways to reach the API: the protected socket of this machine, and TLS. */
export type Transport = "local" | "remote";

export const everywhere = ["local", "remote"] as const satisfies readonly Transport[];
export const localOnly = ["local"] as const satisfies readonly Transport[];
export const remoteOnly = ["remote"] as const satisfies readonly Transport[];

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
  | { readonly kind: "bytes"; readonly events: z.ZodType }
  /** A file, sent while it is made. */
  | { readonly kind: "file"; readonly type: string }
  /** One JSON object per line. `X-Next-Cursor` names the next page, and is absent on the last page. */
  | { readonly kind: "ndjson"; readonly line: z.ZodType };

/** One management operation, from which routes, checks, audit, documents and the SDK's types are derived. */
export interface Operation {
  /** `module.verb`; the operation's name in the audit trail and in OpenAPI. */
  readonly id: `${string}.${string}`;
  readonly method: "get" | "post" | "patch" | "put" | "delete";
  /** The path without the version: `/tasks/{id}` is served at `/v1/tasks/{id}`. */
  readonly path: `/${string}`;
  readonly summary: string;
  readonly description?: string;
  /** `write` runs in one transaction; `read` changes nothing. */
  readonly kind: "read" | "write";
  readonly capability: Capability;
  /** The transports that have the operation. On others its path does not exist. */
  readonly transports: readonly Transport[];
  /** Whether a remote caller needs no credential. A local caller never needs one. */
  readonly isPublic?: boolean;
  /** Whether the operation writes an audit row: every write does, and every read that reveals a secret or exports the trail. */
  readonly audited: boolean;
  /** The type of the operation's resource in the audit trail. */
  readonly resource: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Whether an absent body is read as `{}`. */
  readonly bodyOptional?: boolean;
  readonly bodyBytesMax?: number;
  /**
   * The maximum number of values and member names in the body: once parsed, a large body could take many times its
   * size.
   */
  readonly bodyValuesMax?: number;
  /** The members of the body that only local callers may send. */
  readonly localMembers?: readonly string[];
  /** The members of the body that decide what runs. Remote callers may send them only if the daemon allows it. */
  readonly commandMembers?: readonly string[];
  readonly response: ResponseKind;
  /** The error codes besides those of every operation (`commonErrors`). */
  readonly errors: readonly ErrorCode[];
  /** Whether the operation accepts `If-Match` against the resource's `revision`. */
  readonly conditional?: boolean;
  /**
   * If this member is set, the operation accepts `Idempotency-Key`; one that creates something without it rejects the
   * header, because its answer contains a secret that is shown only once. A repeated call is answered by the named operation,
   * called with the id that the first call created. If the named operation reveals a secret, the audit trail records
   * the repeated call as a reveal. If an operation names itself, its module builds the repeated answer.
   */
  readonly replayedBy?: `${string}.${string}`;
  /** The path to the created id in the answer; default `id`. */
  readonly makes?: string;
  /** The path to the id of the resource in the answer, if it is neither in the URL nor the created id. */
  readonly concerns?: string;
  /** An example body for the document. */
  readonly example?: unknown;
}

/** Checks the shape of a descriptor and keeps its literal types. */
export function defineOperation<const O extends Operation>(operation: O): O {
  return operation;
}

/** Lists the error codes that do not depend on the handler: the layers before it answer with them. */
export function commonErrors(operation: Operation, transport: Transport = "local"): readonly ErrorCode[] {
  return [
    "validation_failed",
    ...(transport === "remote" ? remoteErrors(operation) : []),
    "forbidden",
    "origin_rejected",
    "request_timeout",
    "headers_too_large",
    ...(operation.body === undefined ? [] : (["payload_too_large", "unsupported_media_type"] as const)),
    ...(operation.conditional === true ? (["precondition_failed"] as const) : []),
    ...(operation.replayedBy === undefined ? [] : (["conflict"] as const)),
    ...(operation.audited ? (["audit_unavailable"] as const) : []),
    "internal",
  ];
}

/** A public operation asks for no credential. */
function remoteErrors({ isPublic }: Operation): readonly ErrorCode[] {
  return isPublic === true ? ["rate_limited"] : ["unauthorized", "credential_revoked", "rate_limited"];
}

/** Lists every error code of the operation on a transport, without duplicates. */
export function errorsOf(operation: Operation, transport: Transport = "local"): readonly ErrorCode[] {
  return [...new Set([...commonErrors(operation, transport), ...operation.errors])];
}

type OutputOfSchema<S> = S extends z.ZodType ? z.output<S> : undefined;
type InputOfSchema<S> = S extends z.ZodType ? z.input<S> : undefined;
type Member<O, K extends string> = O extends { readonly [P in K]: infer V } ? V : undefined;

/** The input of a handler: parsed, with defaults filled in, and never merged into one object. */
export interface ParsedInput<O extends Operation> {
  readonly params: OutputOfSchema<Member<O, "params">>;
  readonly query: OutputOfSchema<Member<O, "query">>;
  readonly body: OutputOfSchema<Member<O, "body">>;
}

/** The body that a caller sends. */
export type BodyOf<O extends Operation> = InputOfSchema<Member<O, "body">>;
export type QueryOf<O extends Operation> = InputOfSchema<Member<O, "query">>;

/** The answer that a caller gets. */
export type AnswerOf<O extends Operation> = O["response"] extends { readonly kind: "json"; readonly schema: infer S }
  ? OutputOfSchema<S>
  : undefined;

/** One line of the answer of an operation that answers with lines. */
export type LineOf<O extends Operation> = O["response"] extends { readonly kind: "ndjson"; readonly line: infer S }
  ? OutputOfSchema<S>
  : never;
