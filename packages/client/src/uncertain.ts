import type { OperationId } from "@belfry/contract";
import type { ApiPromise } from "./api-promise.ts";
import { BelfryError } from "./errors.ts";
import type { Settlement } from "./settle.ts";

/** What can be done about a lost answer. */
export interface LostCall<T> {
  readonly operation: OperationId;
  readonly idempotencyKey: string | null;
  readonly cause: BelfryError;
  readonly settle: () => Promise<Settlement>;
  readonly retry: () => ApiPromise<T>;
}

/**
 * A mutation was sent and no complete answer came back: it may have taken effect or not. It is never sent again by itself.
 *
 * ```ts
 * if (isUncertainOutcomeError(error) && (await error.settle()) === "not_committed") await error.retry();
 * ```
 */
export class UncertainOutcomeError<T = unknown> extends BelfryError {
  /** The operation's name in the contract and in the audit trail, such as `tasks.create`. */
  readonly operation: OperationId;
  /** The key the call went out with, where the operation takes one. */
  readonly idempotencyKey: string | null;
  readonly #lost: LostCall<T>;

  constructor(lost: LostCall<T>) {
    super(`It is uncertain whether ${lost.operation} took effect: no complete answer came. (${lost.cause.message})`, {
      cause: lost.cause,
    });
    this.operation = lost.operation;
    this.idempotencyKey = lost.idempotencyKey;
    this.#lost = lost;
  }

  override get name(): string {
    return "UncertainOutcomeError";
  }

  /** Finds out by reading only: whether the change is in effect, is not, or cannot be told (now). */
  settle(): Promise<Settlement> {
    return this.#lost.settle();
  }

  /** Sends the same call once more, with the same idempotency key: what was made before is answered, not made twice. */
  retry(): ApiPromise<T> {
    return this.#lost.retry();
  }
}

/** Whether a mutation's outcome is unknown. */
export function isUncertainOutcomeError(error: unknown): error is UncertainOutcomeError {
  return error instanceof UncertainOutcomeError;
}
