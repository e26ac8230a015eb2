import type { OperationId } from "@belfry/contract";
import type { ApiPromise } from "./api-promise.ts";
import { BelfryError } from "./errors.ts";
import type { Settlement } from "./find-outcome.ts";

/** A mutation whose answer was lost, with the functions to check and to repeat it. */
export interface LostCall<T> {
  readonly operation: OperationId;
  readonly idempotencyKey: string | null;
  readonly cause: BelfryError;
  readonly findOutcome: () => Promise<Settlement>;
  readonly retry: () => ApiPromise<T>;
  /** What to do. Default: to call `settle()`. */
  readonly advice?: string;
}

/**
 * A mutation was sent, and no complete answer came back. The mutation may have taken effect or not. The SDK does not repeat it.
 *
 * ```ts
 * if (isUncertainOutcomeError(error) && (await error.settle()) === "not_committed") await error.retry();
 * ```
 */
export class UncertainOutcomeError<T = unknown> extends BelfryError {
  /** The operation's name in the contract and in the audit trail, such as `tasks.create`. */
  readonly operation: OperationId;
  /** The idempotency key of the call, or null if the operation takes none. */
  readonly idempotencyKey: string | null;
  readonly #lost: LostCall<T>;

  constructor(lost: LostCall<T>) {
    super(
      `It is unknown whether ${lost.operation} took effect: no complete answer came. ${lost.cause.message} ${lost.advice ?? "Call settle() to find out."}`,
      { cause: lost.cause },
    );
    this.operation = lost.operation;
    this.idempotencyKey = lost.idempotencyKey;
    this.#lost = lost;
  }

  override get name(): string {
    return "UncertainOutcomeError";
  }

  /** Finds out whether the change is in effect: `committed`, `not_committed` or `unknown`. Sends only reads. */
  settle(): Promise<Settlement> {
    return this.#lost.findOutcome();
  }

  /** Sends the same call again, with the same idempotency key. If the operation takes a key, nothing is created twice. */
  retry(): ApiPromise<T> {
    return this.#lost.retry();
  }
}

/** Whether the outcome of a mutation is unknown. */
export function isUncertainOutcomeError(error: unknown): error is UncertainOutcomeError {
  return error instanceof UncertainOutcomeError;
}
