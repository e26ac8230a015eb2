import type { Clock } from "../../kernel/time/clock.ts";
import { describeError } from "../../kernel/errors/errors.ts";
import type { Log } from "../../kernel/log/log.ts";
import { createLoop } from "../../kernel/time/loop.ts";
import type { Instant } from "../../kernel/time/time.ts";
import { type Claim, examineClaim, type FoundClaim, isRunnerAlive, readEnd } from "../../runner/claims/claim.ts";
import { forgetClaim } from "../../runner/claims/forget-claim.ts";
import { type Leftovers, leftoversOf } from "../../runner/processes/leftovers.ts";
import { readAgeMs, readBootId } from "../../runner/processes/processes.ts";
import { describeRemaining } from "../../runner/processes/remaining-text.ts";
import { claimFolder } from "../../runner/places.ts";
import type { ReportedEnd, RunRow, RunStore } from "../runs/index.ts";
import type { AttemptsFolder, Unclaimed } from "./attempts-folder.ts";
import { countKept } from "./output/kept-counts.ts";
import type { Orders } from "./orders.ts";
import type { Runners } from "./runners/runners.ts";

export interface RecoveryDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly dataDir: string;
  readonly store: RunStore;
  readonly runners: Pick<Runners, "connect" | "syncAll" | "ownerOf" | "mayStart" | "findPause">;
  readonly orders: Pick<Orders, "endLeftovers" | "forgetWithheld">;
  readonly folder: Pick<AttemptsFolder, "explainUnclaimed">;
  readonly graceMsOf: (run: RunRow) => number;
  /** Repeats the order that an unclaimed attempt needs by its state. */
  readonly repeatOrder: (run: RunRow) => void;
  readonly repeatCancel: (run: RunRow) => void;
  /** Resolves when the end is durable. */
  readonly recordEnd: (attemptId: string, end: ReportedEnd) => Promise<void>;
}

const retryMs = 1_000;
/** The pause between two attempts to reach live runners that have not listed their attempts. */
const unreachedPauseMs = 5_000;

/**
 * Resolves the attempts that no connected runner owns. What it does depends on the claim:
 *
 *   its runner is alive                connects to it: its list is the truth. If it cannot be reached, an end counts
 *   its runner is dead                 records the end, or else ends the processes that are left and records `lost`, or the
 *                                      exit that the runner noted
 *   unreadable                         the same, once every live runner has listed its attempts
 *   none, in the same boot             repeats the order: a claim shows which runner starts the attempt
 *   none, as its folder was removed    ends the processes that are left, then records `lost`
 *   none, from another boot            records `lost`
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
      void reachUnlisted();
      return null;
    },
    onFailure: (error) => {
      log.error("recovery.failed", { error: describeError(error) });
      return { afterMs: retryMs };
    },
  });
  let isReaching = false;
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

  /**
   * Connects to the live runners that have not listed their attempts. Each may have resumed or died meanwhile. One that
   * resumes may hold ended attempts that are recorded already, and stays until it is ordered to forget them.
   */
  async function reachUnlisted(): Promise<void> {
    if (isReaching) return;
    isReaching = true;
    const isSynced = await runners.syncAll().catch(() => false);
    isReaching = false;
    if (isStopped) return;
    if (orders.forgetWithheld() || !isSynced) loop.wakeWithin(unreachedPauseMs);
  }

  async function resolveOne(attemptId: string): Promise<void> {
    const folder = claimFolder(deps.dataDir, attemptId);
    const found = await examineClaim(folder);
    const run = store.findByAttempt(attemptId);
    if (run === undefined || isOwned(attemptId)) return;
    if (found.is === "none") return resolveUnclaimed(run, attemptId);
    const isAbandoned = found.is === "read" ? await isRunnerGone(found.claim) : await isDamageFinal(attemptId);
    const end = await readEnd(folder);
    if (isOwned(attemptId) || (!isAbandoned && end === null)) return;
    // the claim may have been returned, or made, meanwhile
    if ((await examineClaim(folder)).is !== found.is || store.findByAttempt(attemptId) === undefined) return;
    if (found.is === "unreadable") log.warn("attempt.claim_unreadable", { attempt_id: attemptId, why: found.why });
    await deps.recordEnd(attemptId, end ?? (await endOfDead(run, attemptId, found)));
    // the runner, which could not be reached, still keeps the attempt
    if (!isAbandoned) loop.wakeWithin(unreachedPauseMs);
    else if (!runners.mayStart(attemptId)) await forgetClaim(deps.dataDir, attemptId);
  }

  /** Whether the claim's runner is gone. Connects to one that is alive, which may be about to report the attempt. */
  async function isRunnerGone(claim: Claim): Promise<boolean> {
    if (!isRunnerAlive(claim)) return true;
    await runners.connect(claim.runner);
    return false;
  }

  /** Whether no live runner can own an attempt with an unreadable claim. */
  async function isDamageFinal(attemptId: string): Promise<boolean> {
    return explainUnclaimed(attemptId) === "boot" || (await runners.syncAll());
  }

  function explainUnclaimed(attemptId: string): Unclaimed {
    const attempt = store.findAttempt(attemptId);
    return attempt === undefined ? "boot" : deps.folder.explainUnclaimed(attempt);
  }

  async function resolveUnclaimed(run: RunRow, attemptId: string): Promise<void> {
    const why = explainUnclaimed(attemptId);
    if (why === "boot") return deps.recordEnd(attemptId, await lostEnd(attemptId, null, []));
    const isSynced = await runners.syncAll();
    if (isOwned(attemptId) || runners.findPause(attemptId) !== null) return;
    // the lists may take long: a run that was cancelled meanwhile must not start, least of all after its end
    const present = store.findByAttempt(attemptId);
    if (present === undefined) return;
    const wasReturned = returned.delete(attemptId);
    // a runner that does not respond may still read the order: it then finds the claim of the other runner
    if (why === "never_ordered" || wasReturned) return deps.repeatOrder(present);
    if (!isSynced) return;
    log.warn("attempt.claim_gone", { attempt_id: attemptId });
    const { remaining } = await orders.endLeftovers(attemptId, markedLeftovers(run));
    await deps.recordEnd(attemptId, await lostEnd(attemptId, null, remaining));
  }

  async function endOfDead(run: RunRow, attemptId: string, found: FoundClaim): Promise<ReportedEnd> {
    const claim = found.is === "read" ? found.claim : null;
    log.warn("attempt.orphaned", { attempt_id: attemptId, runner: claim?.runner.id, pid: claim?.process?.pid });
    const { remaining } = await orders.endLeftovers(attemptId, claim ?? markedLeftovers(run));
    const end = await lostEnd(attemptId, claim, remaining);
    return claim === null
      ? {
          ...end,
          detail: ["the record of its start cannot be read", end.detail].filter((part) => part !== null).join("; "),
        }
      : end;
  }

  /** Describes the processes of an attempt without a readable claim. */
  function markedLeftovers(run: RunRow): Leftovers {
    return leftoversOf({ runId: run.id, attempt: String(run.attempt) }, deps.graceMsOf(run));
  }

  async function lostEnd(attemptId: string, claim: Claim | null, remaining: readonly number[]): Promise<ReportedEnd> {
    const now = deps.clock.now();
    const startedAt = store.findAttempt(attemptId)?.startedAt ?? null;
    const { exitCode = null, signal = null } = claim?.exit ?? {};
    return {
      cause: claim === null ? "lost" : causeInClaim(claim),
      exitCode,
      signal,
      detail: describeRemaining(remaining, { isProved: claim === null || isProvedGone(claim) }),
      pid: claim?.process?.pid ?? null,
      startedAt,
      endedAt: now,
      ...(claim?.exit == null
        ? { durationMs: durationOf(claim, startedAt, now) }
        : { exitedAt: claim.exit.exitedAt, durationMs: claim.exit.durationMs }),
      ...(await countKept(deps.dataDir, attemptId)),
    };
  }

  return {
    /** Resolves the attempts that are not being resolved yet. Call it whenever a runner was connected or lost. */
    run: loop.runNow,
    runWithin: loop.wakeWithin,
    rounds: loop.rounds,
    /** Does nothing if a runner has started the attempt: then another one has returned an older order. */
    noteReturned: (attemptId: string): void => {
      if (!isOwned(attemptId)) returned.add(attemptId);
    },
    /** From now on a missing claim was removed. */
    noteStarted: (attemptId: string): void => void returned.delete(attemptId),
    stop: (): Promise<void> => {
      isStopped = true;
      return loop.stop();
    },
  };
}

/**
 * Whether nothing can be left of an attempt whose processes were ended on purpose. Of a lost one, that its runner died says
 * enough.
 */
function isProvedGone({ cause, exit, cgroup, runner }: Claim): boolean {
  return (cause === null && exit === null) || cgroup !== null || runner.bootId !== readBootId();
}

/** What the runner noted before it died takes precedence. */
function causeInClaim({ cause, exit }: Claim): ReportedEnd["cause"] {
  if (cause !== null) return cause;
  if (exit === null) return "lost";
  return exit.signal === null ? "exit" : "signal";
}

function durationOf(claim: Claim | null, startedAt: Instant | null, now: Instant): number {
  if (startedAt === null) return 0;
  const ageMs = claim?.process == null ? null : readAgeMs(claim.process);
  return ageMs ?? Math.max(0, now - startedAt);
}
