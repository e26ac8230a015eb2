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

/** Headers that many operations take, named once in the document. */
export const headerParameters = {
  IfMatch: {
    name: "If-Match",
    in: "header",
    description: "The revision that is to be changed, as `ETag` gave it, or `*`. Without it the last write wins.",
    schema: { type: "string", pattern: ifMatchForm.source },
    example: '"3"',
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description: `The same key and body within ${limits.idempotencyKeptMs / 3_600_000} hours make one thing, however often they are sent. Printable ASCII, and neither \`.\` nor \`..\`: anything else could not be looked up.`,
    schema: {
      type: "string",
      minLength: 1,
      maxLength: limits.idempotencyKeyCharactersMax,
      pattern: idempotencyKeyForm.source,
    },
    example: "nightly-backup-2026-11-21",
  },
} satisfies Record<string, Header & { name: string; in: "header" }>;

/** Headers that many answers carry, named once in the document. */
export const answerHeaders = {
  ETag: { description: "The resource's `revision`, quoted", schema: { type: "string" }, example: '"3"' },
  IdempotentReplay: {
    description: "`true` when an earlier call with this `Idempotency-Key` did the work",
    schema: { type: "string", enum: ["true"] },
  },
} satisfies Record<string, Header>;

/** How an operation of the document names a header that it takes. */
export function parameterRef(name: keyof typeof headerParameters) {
  return { $ref: `#/components/parameters/${name}` } as const;
}

/** The headers that an operation's answer carries in the document: the revision it can have, and whether it is a replay. */
export function responseHeadersOf(operation: Operation) {
  const { response } = operation;
  const isVersioned =
    response.kind === "json" && response.schema instanceof z.ZodObject && "revision" in response.schema.shape;
  return {
    ...(isVersioned ? { ETag: headerRef("ETag") } : {}),
    ...(operation.replayedBy === undefined ? {} : { "Idempotent-Replay": headerRef("IdempotentReplay") }),
  };
}

function headerRef(name: keyof typeof answerHeaders) {
  return { $ref: `#/components/headers/${name}` } as const;
}
