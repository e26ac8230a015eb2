import type { RunFact, RunStore } from "./features/runs/index.ts";
import type { Log } from "./kernel/log.ts";

/** The steps of a run as lines of the log; what a task wrote never enters it. */
export function logRun(log: Log, runs: RunStore): (fact: RunFact) => void {
  return (fact) => {
    if (fact.name === "run.ended") return logEnd(log, fact);
    const isStep = fact.name === "run.started" || fact.name === "run.retrying";
    // what gets no line is not read for one
    if (!isStep && !log.writes("debug")) return;
    const run = runs.find(fact.runId);
    if (run === undefined) return;
    const who = { task: run.taskName, run_id: run.id, attempt: run.attempt > 1 ? run.attempt : undefined };
    if (fact.name === "run.started") return log.info("run.started", { ...who, trigger: run.trigger });
    if (fact.name === "run.retrying") return log.warn("run.retrying", { ...who, why: run.reasonText });
    log.debug(fact.name, who);
  };
}

function logEnd(log: Log, { runId, end }: Extract<RunFact, { readonly name: "run.ended" }>): void {
  const { taskName, state, attempt, durationMs, reasonText } = end;
  const level = state === "failed" ? log.warn : log.info;
  level(`run.${state}`, {
    task: taskName,
    run_id: runId,
    attempt: attempt > 1 ? attempt : undefined,
    duration_ms: durationMs,
    why: state === "succeeded" ? undefined : reasonText,
  });
}
