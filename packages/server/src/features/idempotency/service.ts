import { limits } from "@belfry/contract";
import { createHmac } from "node:crypto";
import { canonicalJson } from "../../kernel/canonical-json.ts";
import { AppError } from "../../kernel/errors/errors.ts";
import type { Instant } from "../../kernel/time/time.ts";
import type { Unit } from "../../kernel/storage/write.ts";
import type { IdempotencyStore } from "./store.ts";
import type { IdempotencyRow } from "./table.ts";

/** One use of a key by a caller for an operation. */
export interface KeyUse {
  readonly actorId: string;
  readonly operation: string;
  readonly key: string;
}

/** A use of a key with its input. */
export interface KeyedCall extends KeyUse {
  /** Keyed hash of path and body: the same key with another input is a mistake. */
  readonly bodyHash: string;
}

/** Old keys are removed once for so many new ones. */
const removedEach = 1_000;

/** The hash of a call that an earlier version recorded without a key: it can no longer be compared. */
const forgotten = "";

export type Idempotency = ReturnType<typeof createIdempotency>;

export function createIdempotency(store: IdempotencyStore, hashKey: Buffer) {
  let remembered = 0;

  return {
    /**
     * Hashes the input of a call under a key that is not in the database. Without that key, nobody can test a guess of
     * the input, or find two calls with the same input.
     */
    hashInput: ({ actorId, operation, key }: KeyUse, input: unknown): string =>
      createHmac("sha256", hashKey)
        .update(canonicalJson([actorId, operation, key, input]))
        .digest("hex"),
    /**
     * Finds what the same call created within the last 24 hours. Throws a 409 if the same key was used with another
     * body.
     */
    findFormer: (unit: Unit, call: KeyedCall): IdempotencyRow | null => {
      const row = store.find(call.actorId, call.operation, call.key);
      if (row === undefined) return null;
      if (row.at <= unit.now - limits.idempotencyKeptMs) {
        store.remove(row);
        return null;
      }
      if (row.bodyHash === call.bodyHash) return row;
      if (row.bodyHash === forgotten)
        throw new AppError(
          "conflict",
          `this Idempotency-Key was already used to create ${row.resourceId}, before an upgrade of the daemon: use a new Idempotency-Key to create another`,
          { resourceId: row.resourceId },
        );
      throw new AppError(
        "conflict",
        "this Idempotency-Key was already used for a different request: use a new Idempotency-Key",
      );
    },
    /** Remembers a call in its own transaction. It stores the id of the created resource, never a secret. */
    remember: (unit: Unit, call: KeyedCall, made: { readonly status: number; readonly resourceId: string }): void => {
      if (remembered++ % removedEach === 0) store.removeUntil(unit.now - limits.idempotencyKeptMs);
      store.insert({ ...call, ...made, at: unit.now });
    },
    lookUp: (actorId: string, key: string, now: Instant): IdempotencyRow | undefined =>
      store.findLatest({ actorId, key, since: now - limits.idempotencyKeptMs }),
  };
}
