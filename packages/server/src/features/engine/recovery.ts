import type { Clock } from "../../kernel/clock.ts";
import { describeError } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import { type Claim, isRunnerAlive, readClaim, readEnd } from "../../runner/claim.ts";
import { forgetClaim } from "../../runner/claim-file.ts";
import { endLeftovers } from "../../runner/leftovers.ts";
import { claimFolder } from "../../runner/places.ts";
import type { ReportedEnd, RunRow, RunStore } from "../runs/index.ts";
import type { Executor } from "./executor.ts";
import { countKept } from "./kept-counts.ts";

export interface RecoveryDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly dataDir: string;
  readonly bootId: string;
  readonly store: RunStore;
  readonly executor: Executor;
  /** Repeats the order that the attempt's state calls for: nobody has claimed it. */
  readonly repeatOrder: (run: RunRow) => void;
  readonly repeatCancel: (runId: string) => void;
  /** Resolves when the end is durable. */
  readonly recordEnd: (attemptId: string, end: ReportedEnd) => Promise<void>;
}

const lookAgainMs = 1_000;

/**
 * Settles the attempts that no connected runner owns. A claim whose runner lives: connect to it, its list is the truth. A
 * claim with an end: that end stands. A claim of a dead runner without one: what is left of it is ended, then it is `lost`.
 * No claim, same boot: the order never arrived and is repeated. No claim, another boot: `lost`.
 */
export function createRecovery(deps: RecoveryDeps) {
  const { executor, store, log } = deps;
  let running: Promise<void> | null = null;
  let isWanted = false;

  async function settleAll(): Promise<void> {
    do {
      isWanted = false;
      await Promise.all(listOrphans().map(settleOrLog));
    } while (isWanted);
    // a cancel that was committed just before a crash, or that went down with a line; repeating one does no harm
    for (const run of store.listLive()) {
      if (run.state === "cancelling" && run.attemptId !== null && executor.isHome(run.attemptId)) deps.repeatCancel(run.id);
    }
    if (listOrphans().length > 0 && executor.isAvailable()) deps.clock.after(lookAgainMs, () => void run());
  }

  function listOrphans(): readonly string[] {
    const attemptIds = store.listLive().map((run) => run.attemptId);
    return attemptIds.filter((id) => id !== null && !executor.isHome(id)) as string[];
  }

  async function settleOrLog(attemptId: string): Promise<void> {
    try {
      await settleOne(attemptId);
    } catch (error) {
      log.error("recovery.failed", { attempt_id: attemptId, error: describeError(error) });
    }
  }

  async function settleOne(attemptId: string): Promise<void> {
    const folder = claimFolder(deps.dataDir, attemptId);
    const claim = await readClaim(folder);
    const run = store.findByAttempt(attemptId);
    if (run === undefined || executor.isHome(attemptId)) return;
    if (claim === null) {
      if (store.findAttempt(attemptId)?.bootId !== deps.bootId) return deps.recordEnd(attemptId, await lostEnd(attemptId, null, []));
      return deps.repeatOrder(run);
    }
    if (isRunnerAlive(claim)) return executor.join(claim.runner);
    await deps.recordEnd(attemptId, (await readEnd(folder)) ?? (await endOfDead(attemptId, claim)));
    await forgetClaim(deps.dataDir, attemptId);
  }

  async function endOfDead(attemptId: string, claim: Claim): Promise<ReportedEnd> {
    log.warn("attempt.orphaned", { attempt_id: attemptId, runner: claim.runner.id, pid: claim.process?.pid });
    const { remaining } = await endLeftovers(claim, { clock: deps.clock });
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

  /** However often it is asked for while it runs, it runs once more after that. */
  function run(): Promise<void> {
    isWanted = true;
    running ??= settleAll().finally(() => {
      running = null;
    });
    return running;
  }

  return { run };
}
