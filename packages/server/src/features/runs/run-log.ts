import type { Log } from "../../kernel/log/log.ts";
import type { RunEnd, RunFact } from "./facts.ts";
import type { RunStore } from "./store.ts";

/**
 * Logs the steps of a run. A line has the code of the reason for its end, never its text. The text may contain a
 * program or a directory, and only callers that may read the task may see these.
 */
export function logRuns(log: Log, runs: RunStore): (fact: RunFact) => void {
  return (fact) => {
    if (fact.name === "run.ended") return logEnd(log, fact);
    const isStep = fact.name === "run.started" || fact.name === "run.retrying";
    // a row is not read if it gets no line
    if (!isStep && !log.writes("debug")) return;
    const run = runs.find(fact.runId);
    if (run === undefined) return;
    const who = { task: run.taskName, run_id: run.id, attempt: run.attempt > 1 ? run.attempt : undefined };
    if (fact.name === "run.started") return log.info("run.started", { ...who, trigger: run.trigger });
    if (fact.name === "run.retrying") return log.warn("run.retrying", { ...who, ...why(run) });
    log.debug(fact.name, who);
  };
}

function logEnd(log: Log, { runId, end }: Extract<RunFact, { readonly name: "run.ended" }>): void {
  const { taskName, state, attempt, durationMs } = end;
  const level = state === "failed" ? log.warn : log.info;
  level(`run.${state}`, {
    task: taskName,
    run_id: runId,
    attempt: attempt > 1 ? attempt : undefined,
    duration_ms: durationMs,
    ...(state === "succeeded" ? {} : why(end)),
  });
}

function why({ reason, exitCode, signal }: Pick<RunEnd, "reason" | "exitCode" | "signal">) {
  return { reason, exit_code: exitCode ?? undefined, signal: signal ?? undefined };
}
