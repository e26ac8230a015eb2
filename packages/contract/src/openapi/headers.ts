import { z } from "zod";
import { limits } from "../core/limits.ts";
import type { Operation } from "../core/operation.ts";
import { ifMatchForm } from "../core/scalars.ts";
import { idempotencyKeyForm } from "../modules/idempotency/operations.ts";

interface Header {
  readonly description: string;
  readonly schema: {
    readonly type: "string";
    readonly minLength?: number;
    readonly maxLength?: number;
    readonly pattern?: string;
    enum?: string[];
  };
  readonly example?: string;
}

/** Request headers of several operations, defined once in the document. */
export const headerParameters = {
  IfMatch: {
    name: "If-Match",
    in: "header",
    description:
      "The `ETag` that you read: if the resource has changed since, the call is rejected with 412. With `*`, or without this header, the last write wins.",
    schema: { type: "string", pattern: ifMatchForm.source },
    example: '"3"',
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description: `Within ${limits.idempotencyKeptMs / 3_600_000} hours, a call that repeats an earlier call with its key creates nothing, and returns the resource that the earlier call created. If the body or the id in the path differs, the call is rejected with 409. The key must be printable ASCII and must not be \`.\` or \`..\`, because \`GET /v1/idempotency/{key}\` has the key in its path.`,
    schema: {
      type: "string",
      minLength: 1,
      maxLength: limits.idempotencyKeyCharactersMax,
      pattern: idempotencyKeyForm.source,
    },
    example: "nightly-backup-2026-11-21",
  },
} satisfies Record<string, Header & { name: string; in: "header" }>;

/** Response headers of several operations, defined once in the document. */
export const answerHeaders = {
  ETag: { description: "The resource's `revision`, quoted", schema: { type: "string" }, example: '"3"' },
  NextCursor: {
    description: "The `cursor` of the next page; absent on the last page",
    schema: { type: "string" },
  },
  IdempotentReplay: {
    description: "`true` if an earlier call with this `Idempotency-Key` created the resource",
    schema: { type: "string", enum: ["true"] },
  },
} satisfies Record<string, Header>;

/** Makes a reference to a request header. */
export function parameterRef(name: keyof typeof headerParameters) {
  return { $ref: `#/components/parameters/${name}` } as const;
}

/**
 * Lists the response headers of an operation: the revision if its resource has one, the next cursor of an export, and
 * whether the answer is a replay.
 */
export function responseHeadersOf(operation: Operation) {
  const { response } = operation;
  const isVersioned =
    response.kind === "json" && response.schema instanceof z.ZodObject && "revision" in response.schema.shape;
  return {
    ...(isVersioned ? { ETag: headerRef("ETag") } : {}),
    ...(response.kind === "ndjson" ? { "X-Next-Cursor": headerRef("NextCursor") } : {}),
    ...(operation.replayedBy === undefined ? {} : { "Idempotent-Replay": headerRef("IdempotentReplay") }),
  };
}

function headerRef(name: keyof typeof answerHeaders) {
  return { $ref: `#/components/headers/${name}` } as const;
}
