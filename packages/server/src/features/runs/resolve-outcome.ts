import { parseDuration, type Retry, type RunReason } from "@belfry/contract";
import { reasonText } from "./reason-text.ts";
import type { TaskRow } from "../tasks/index.ts";
import type { RunRow } from "./table.ts";

/** How an attempt ended, as its runner reported; `lost` if the runner died. */
export interface AttemptOutcome {
  readonly cause: "exit" | "signal" | "timeout" | "spawn_error" | "cancelled" | "lost";
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly detail: string | null;
}

/** The settings of the task that decide the outcome. */
export interface Terms {
  readonly successExitCodes: readonly number[];
  readonly retry: Retry;
  readonly onLost: TaskRow["onLost"];
  readonly timeoutMs: number | null;
}

/** `chance`, in [0, 1), varies the delay of a retry. */
export type OutcomeTerms = Terms & { readonly chance: number };

type Final = Pick<RunRow, "state" | "outcome" | "reason" | "reasonText" | "exitCode" | "signal">;
export type ResolvedOutcome =
  | { readonly kind: "final"; readonly change: Final }
  | {
      readonly kind: "retry";
      readonly delayMs: number;
      readonly change: Final & Pick<RunRow, "attemptsMax">;
    };

const retried: ReadonlySet<RunReason> = new Set(["exit_code", "signal", "timeout"]);
/** A task that retries lost attempts need not allow other retries. */
const lostAttemptsMin = 2;

/** Decides the state of a run after the end of an attempt. Pure. */
export function resolveOutcome(run: RunRow, terms: OutcomeTerms, end: AttemptOutcome): ResolvedOutcome {
  const change = finalOf(run, terms, end);
  const attemptsMax = attemptsMaxAfter(change.reason, run, terms);
  const mayRetry = change.outcome === "failure" && run.attempt < attemptsMax && run.cancelRequestedAt === null;
  if (!mayRetry) return { kind: "final", change };
  const delayMs = retryDelayMs(terms.retry, run.attempt, terms.chance);
  return { kind: "retry", delayMs, change: { ...change, attemptsMax } };
}

/** Returns how many attempts a run may have after a failure for this reason. */
function attemptsMaxAfter(reason: RunReason | null, { attemptsMax }: RunRow, { onLost }: Terms): number {
  if (reason === "lost" && onLost === "retry") return Math.max(attemptsMax, lostAttemptsMin);
  return reason !== null && retried.has(reason) ? attemptsMax : 0;
}

function finalOf(run: RunRow, terms: Terms, end: AttemptOutcome): Final {
  const facts = { exitCode: end.exitCode, signal: end.signal, timeoutMs: terms.timeoutMs, detail: end.detail };
  const as = (state: Final["state"], outcome: Final["outcome"], reason: RunReason): Final => ({
    state,
    outcome,
    reason,
    reasonText: reasonText(reason, facts),
    exitCode: end.exitCode,
    signal: end.signal,
  });
  switch (end.cause) {
    case "exit":
      return end.exitCode !== null && terms.successExitCodes.includes(end.exitCode)
        ? as("succeeded", "success", "exit_code")
        : as("failed", "failure", "exit_code");
    case "cancelled":
      return as("cancelled", null, run.cancelCause ?? "cancelled");
    case "signal":
    case "timeout":
    case "spawn_error":
    case "lost":
      return as("failed", "failure", end.cause);
  }
}

/**
 * Computes the delay after attempt `n`: `delay × backoff^(n-1)`, at most `max_delay`, then made longer or shorter by at
 * most the fraction `jitter`.
 */
export function retryDelayMs(retry: Retry, attempt: number, fraction: number): number {
  // the power may be Infinity, and zero times Infinity is NaN
  const growth = Math.min(retry.backoff ** (attempt - 1), Number.MAX_SAFE_INTEGER);
  const delayMs = Math.min((parseDuration(retry.delay) ?? 0) * growth, parseDuration(retry.max_delay) ?? 0);
  return Math.round(delayMs * (1 + retry.jitter * (2 * fraction - 1)));
}
