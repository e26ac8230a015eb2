import type { Clock } from "../../kernel/time/clock.ts";
import { describeError } from "../../kernel/errors/errors.ts";
import type { Log } from "../../kernel/log/log.ts";
import { createLoop } from "../../kernel/time/loop.ts";
import { type Claim, isRunnerAlive, readClaim, readEnd } from "../../runner/claims/claim.ts";
import { forgetClaim } from "../../runner/claims/claim-file.ts";
import { leftoversOf } from "../../runner/processes/leftovers.ts";
import { claimFolder } from "../../runner/places.ts";
import type { ReportedEnd, RunRow, RunStore } from "../runs/index.ts";
import type { AttemptsFolder } from "./attempts-folder.ts";
import { countKept } from "./kept-counts.ts";
import type { Orders } from "./orders.ts";
import type { Runners } from "./runners/runners.ts";

export interface RecoveryDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly dataDir: string;
  readonly store: RunStore;
  readonly runners: Pick<Runners, "connect" | "syncAll" | "ownerOf">;
  readonly orders: Pick<Orders, "endLeftovers">;
  readonly folder: Pick<AttemptsFolder, "explainUnclaimed">;
  readonly graceMsOf: (run: RunRow) => number;
  /** Repeats the order that an unclaimed attempt needs by its state. */
  readonly repeatOrder: (run: RunRow) => void;
  readonly repeatCancel: (run: RunRow) => void;
  /** Resolves when the end is durable. */
  readonly recordEnd: (attemptId: string, end: ReportedEnd) => Promise<void>;
}

const retryMs = 1_000;

/**
 * Resolves the attempts that no connected runner owns. What it does depends on the claim:
 *
 *   its runner is alive                     connects to it: its list is the truth
 *   it has an end                           records that end
 *   its runner is dead, and it has no end   ends the processes that are left, then records `lost`
 *   none, in the same boot                  the order never arrived: repeats it, once no live runner can still receive it
 *   none, as its folder was removed         ends the processes that are left, then records `lost`
 *   none, from another boot                 records `lost`
 *
 * Each attempt is resolved on its own: one may take as long as its grace period.
 */
export function createRecovery(deps: RecoveryDeps) {
  const { runners, orders, store, log } = deps;
  const resolving = new Set<string>();
  /** Attempts that a runner returned. Their claim may be missing for that reason alone. */
  const returned = new Set<string>();
  const loop = createLoop({
    clock: deps.clock,
    round: () => {
      for (const { attemptId } of store.listLive()) {
        if (attemptId !== null && !resolving.has(attemptId)) void resolve(attemptId);
      }
      return null;
    },
    onFailure: (error) => {
      log.error("recovery.failed", { error: describeError(error) });
      return { afterMs: retryMs };
    },
  });
  let isStopped = false;

  function isOwned(attemptId: string): boolean {
    return runners.ownerOf(attemptId) !== null;
  }

  async function resolve(attemptId: string): Promise<void> {
    resolving.add(attemptId);
    try {
      if (!isOwned(attemptId)) await resolveOne(attemptId);
      if (!isStopped) followUp(attemptId);
    } catch (error) {
      if (!isStopped) log.error("recovery.failed", { attempt_id: attemptId, error: describeError(error) });
      loop.wakeWithin(retryMs);
    } finally {
      resolving.delete(attemptId);
    }
  }

  function followUp(attemptId: string): void {
    const run = store.findByAttempt(attemptId);
    if (run === undefined) return;
    if (!isOwned(attemptId)) return loop.wakeWithin(retryMs);
    // the cancel may have been lost with a crash or a connection; repeating it does no harm
    if (run.state === "cancelling") deps.repeatCancel(run);
  }

  async function resolveOne(attemptId: string): Promise<void> {
    const folder = claimFolder(deps.dataDir, attemptId);
    const claim = await readClaim(folder);
    const run = store.findByAttempt(attemptId);
    if (run === undefined || isOwned(attemptId)) return;
    if (claim === null) return resolveUnclaimed(run, attemptId);
    if (isRunnerAlive(claim)) return runners.connect(claim.runner);
    await deps.recordEnd(attemptId, (await readEnd(folder)) ?? (await endOfDead(attemptId, claim)));
    await forgetClaim(deps.dataDir, attemptId);
  }

  async function resolveUnclaimed(run: RunRow, attemptId: string): Promise<void> {
    const attempt = store.findAttempt(attemptId);
    const why = attempt === undefined ? "boot" : deps.folder.explainUnclaimed(attempt);
    if (why === "boot") return deps.recordEnd(attemptId, await lostEnd(attemptId, null, []));
    // a runner that hangs may not have read the order yet
    if (!(await runners.syncAll()) || isOwned(attemptId)) return;
    const wasReturned = returned.delete(attemptId);
    if (why === "never_ordered" || wasReturned) return deps.repeatOrder(run);
    log.warn("attempt.claim_gone", { attempt_id: attemptId });
    const mark = { runId: run.id, attempt: String(run.attempt) };
    const { remaining } = await orders.endLeftovers(attemptId, leftoversOf(mark, deps.graceMsOf(run)));
    await deps.recordEnd(attemptId, await lostEnd(attemptId, null, remaining));
  }

  async function endOfDead(attemptId: string, claim: Claim): Promise<ReportedEnd> {
    log.warn("attempt.orphaned", { attempt_id: attemptId, runner: claim.runner.id, pid: claim.process?.pid });
    const { remaining } = await orders.endLeftovers(attemptId, claim);
    return lostEnd(attemptId, claim, remaining);
  }

  async function lostEnd(attemptId: string, claim: Claim | null, remaining: readonly number[]): Promise<ReportedEnd> {
    const now = deps.clock.now();
    const startedAt = store.findAttempt(attemptId)?.startedAt ?? null;
    return {
      // a cause that the runner wrote before it died takes precedence
      cause: claim?.cause ?? "lost",
      exitCode: null,
      signal: null,
      detail: remaining.length === 0 ? null : `these processes did not end: ${remaining.join(", ")}`,
      pid: claim?.process?.pid ?? null,
      startedAt,
      endedAt: now,
      durationMs: startedAt === null ? 0 : Math.max(0, now - startedAt),
      ...(await countKept(deps.dataDir, attemptId)),
    };
  }

  return {
    /** Resolves the attempts that are not being resolved yet. Call it whenever a runner was connected or lost. */
    run: loop.runNow,
    runWithin: loop.wakeWithin,
    rounds: loop.rounds,
    noteReturned: (attemptId: string): void => void returned.add(attemptId),
    stop: (): Promise<void> => {
      isStopped = true;
      return loop.stop();
    },
  };
}
