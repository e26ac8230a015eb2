import type { RunFact, RunStore } from "./features/runs/index.ts";
import type { Log } from "./kernel/log.ts";

/** The steps of a run as lines of the log; what a task wrote never enters it. */
export function logRun(log: Log, runs: RunStore): (fact: RunFact) => void {
  return (fact) => {
    const isStep = fact.name === "run.started" || fact.name === "run.retrying" || fact.name === "run.ended";
    // what gets no line is not read for one
    if (!isStep && !log.writes("debug")) return;
    const run = runs.find(fact.runId);
    if (run === undefined) return;
    const who = { task: run.taskName, run_id: run.id, attempt: run.attempt > 1 ? run.attempt : undefined };
    if (!isStep) return log.debug(fact.name, who);
    switch (fact.name) {
      case "run.started":
        return log.info("run.started", { ...who, trigger: run.trigger });
      case "run.retrying":
        return log.warn("run.retrying", { ...who, why: run.reasonText });
      case "run.ended": {
        const level = run.state === "failed" ? log.warn : log.info;
        return level(`run.${run.state}`, {
          ...who,
          duration_ms: run.durationMs,
          why: run.state === "succeeded" ? undefined : run.reasonText,
        });
      }
    }
  };
}
