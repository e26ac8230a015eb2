import { limits } from "@belfry/contract";
import { createHash } from "node:crypto";
import { AppError } from "../../kernel/errors/errors.ts";
import type { Instant } from "../../kernel/time/time.ts";
import type { Unit } from "../../kernel/storage/write.ts";
import type { IdempotencyStore } from "./store.ts";
import type { IdempotencyRow } from "./table.ts";

/** One use of a key: its caller, its operation and its input. */
export interface KeyedCall {
  readonly actorId: string;
  readonly operation: string;
  readonly key: string;
  /** Hash of path and body: the same key with another input is a mistake. */
  readonly bodyHash: string;
}

export function hashInput(input: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify(input) ?? "")
    .digest("hex");
}

export type Idempotency = ReturnType<typeof createIdempotency>;

export function createIdempotency(store: IdempotencyStore) {
  return {
    /**
     * Finds what the same call created within the last 24 hours. Throws a 409 if the same key was used with another
     * body.
     */
    findFormer: (unit: Unit, call: KeyedCall): IdempotencyRow | null => {
      store.removeUntil(unit.now - limits.idempotencyKeptMs);
      const row = store.find(call.actorId, call.operation, call.key);
      if (row === undefined) return null;
      if (row.bodyHash === call.bodyHash) return row;
      throw new AppError(
        "conflict",
        "this Idempotency-Key was already used for a different request: use a new Idempotency-Key",
      );
    },
    /** Remembers a call in its own transaction. It stores the id of the created resource, never a secret. */
    remember: (unit: Unit, call: KeyedCall, made: { readonly status: number; readonly resourceId: string }): void => {
      store.insert({ ...call, ...made, at: unit.now });
    },
    lookUp: (actorId: string, key: string, now: Instant): IdempotencyRow | undefined =>
      store.findLatest({ actorId, key, since: now - limits.idempotencyKeptMs }),
  };
}
