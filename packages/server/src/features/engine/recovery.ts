import type { Clock, Timer } from "../../kernel/time/clock.ts";
import { describeError } from "../../kernel/errors/errors.ts";
import type { Log } from "../../kernel/log/log.ts";
import { type Claim, isRunnerAlive, readClaim, readEnd } from "../../runner/claims/claim.ts";
import { forgetClaim } from "../../runner/claims/claim-file.ts";
import { leftoversOf } from "../../runner/processes/leftovers.ts";
import { claimFolder } from "../../runner/places.ts";
import type { ReportedEnd, RunRow, RunStore } from "../runs/index.ts";
import type { AttemptsFolder } from "./attempts-folder.ts";
import type { Executor } from "./executor.ts";
import { countKept } from "./kept-counts.ts";

export interface RecoveryDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly dataDir: string;
  readonly store: RunStore;
  readonly executor: Executor;
  readonly folder: Pick<AttemptsFolder, "explainUnclaimed">;
  readonly graceMsOf: (run: RunRow) => number;
  /** Repeats the order that the attempt's state calls for: nobody has claimed it. */
  readonly repeatOrder: (run: RunRow) => void;
  readonly repeatCancel: (run: RunRow) => void;
  /** Resolves when the end is durable. */
  readonly recordEnd: (attemptId: string, end: ReportedEnd) => Promise<void>;
}

const lookAgainMs = 1_000;

/**
 * Settles the attempts that no connected runner owns. A claim whose runner lives: connect to it, its list is the truth. A
 * claim with an end: that end stands. A claim of a dead runner without one: what is left of it is ended, then it is `lost`.
 * No claim, same boot: the order never arrived and is repeated, once no runner lives that might still come to it. No claim,
 * because its folder was removed: what is left of it is ended, then it is `lost`. No claim, another boot: `lost`. Each attempt is settled on its own, for one may take as long as its grace.
 */
export function createRecovery(deps: RecoveryDeps) {
  const { executor, store, log } = deps;
  const settling = new Set<string>();
  /** Returned by a runner, so that the lack of a claim says nothing else. */
  const unclaimed = new Set<string>();
  let lookingAgain: Timer | null = null;
  let isStopped = false;

  /** Begins with all that nobody settles yet; to be called whenever a runner has come or gone. */
  function settleAll(): void {
    if (isStopped) return;
    try {
      for (const { attemptId } of store.listLive()) {
        if (attemptId !== null && !settling.has(attemptId)) void settle(attemptId);
      }
    } catch (error) {
      log.error("recovery.failed", { error: describeError(error) });
      lookAgain();
    }
  }

  async function settle(attemptId: string): Promise<void> {
    settling.add(attemptId);
    try {
      if (!executor.isHome(attemptId)) await settleOne(attemptId);
      if (!isStopped) followUp(attemptId);
    } catch (error) {
      if (!isStopped) log.error("recovery.failed", { attempt_id: attemptId, error: describeError(error) });
      lookAgain();
    } finally {
      settling.delete(attemptId);
    }
  }

  function followUp(attemptId: string): void {
    const run = store.findByAttempt(attemptId);
    if (run === undefined) return;
    if (!executor.isHome(attemptId)) return lookAgain();
    // a cancel that was committed just before a crash, or that went down with a line; repeating one does no harm
    if (run.state === "cancelling") deps.repeatCancel(run);
  }

  function lookAgain(): void {
    lookingAgain ??= deps.clock.after(lookAgainMs, () => {
      lookingAgain = null;
      settleAll();
    });
  }

  async function settleOne(attemptId: string): Promise<void> {
    const folder = claimFolder(deps.dataDir, attemptId);
    const claim = await readClaim(folder);
    const run = store.findByAttempt(attemptId);
    if (run === undefined || executor.isHome(attemptId)) return;
    if (claim === null) return settleUnclaimed(run, attemptId);
    if (isRunnerAlive(claim)) return executor.join(claim.runner);
    await deps.recordEnd(attemptId, (await readEnd(folder)) ?? (await endOfDead(attemptId, claim)));
    await forgetClaim(deps.dataDir, attemptId);
  }

  async function settleUnclaimed(run: RunRow, attemptId: string): Promise<void> {
    const attempt = store.findAttempt(attemptId);
    const why = attempt === undefined ? "boot" : deps.folder.explainUnclaimed(attempt);
    if (why === "boot") return deps.recordEnd(attemptId, await lostEnd(attemptId, null, []));
    // a runner that hangs may have the order before it
    if (!(await executor.hearAll()) || executor.isHome(attemptId)) return;
    const wasReturned = unclaimed.delete(attemptId);
    if (why === "never_ordered" || wasReturned) return deps.repeatOrder(run);
    log.warn("attempt.claim_gone", { attempt_id: attemptId });
    const mark = { runId: run.id, attempt: String(run.attempt) };
    const { remaining } = await executor.endLeftovers(attemptId, leftoversOf(mark, deps.graceMsOf(run)));
    await deps.recordEnd(attemptId, await lostEnd(attemptId, null, remaining));
  }

  async function endOfDead(attemptId: string, claim: Claim): Promise<ReportedEnd> {
    log.warn("attempt.orphaned", { attempt_id: attemptId, runner: claim.runner.id, pid: claim.process?.pid });
    const { remaining } = await executor.endLeftovers(attemptId, claim);
    return lostEnd(attemptId, claim, remaining);
  }

  async function lostEnd(attemptId: string, claim: Claim | null, remaining: readonly number[]): Promise<ReportedEnd> {
    const now = deps.clock.now();
    const startedAt = store.findAttempt(attemptId)?.startedAt ?? null;
    return {
      // a cause that the runner wrote before it died stands
      cause: claim?.cause ?? "lost",
      exitCode: null,
      signal: null,
      detail: remaining.length === 0 ? null : `these processes would not go: ${remaining.join(", ")}`,
      pid: claim?.process?.pid ?? null,
      startedAt,
      endedAt: now,
      durationMs: startedAt === null ? 0 : Math.max(0, now - startedAt),
      ...(await countKept(deps.dataDir, attemptId)),
    };
  }

  return {
    run: settleAll,
    noteUnclaimed: (attemptId: string): void => void unclaimed.add(attemptId),
    stop: (): void => {
      isStopped = true;
      lookingAgain?.cancel();
    },
  };
}
