import type { ModuleEvents } from "../../kernel/module.ts";
import type { HistoryGrown, RunFact } from "./facts.ts";
import type { RunStore } from "./store.ts";
import { attemptNumber } from "./view.ts";

export function runEvents(runs: Pick<RunStore, "find">): ModuleEvents<RunFact | HistoryGrown> {
  const event =
    (verb: "queued" | "started" | "updated" | "ended" | "deleted") =>
    ({ runId: id, taskId: task_id }: { readonly runId: string; readonly taskId: string }) => {
      const row = runs.find(id);
      const now = row === undefined ? {} : { state: row.state, outcome: row.outcome, attempt: attemptNumber(row) };
      return { kind: "run", verb, id, task_id, ...now } as const;
    };
  return {
    kind: "run",
    of: {
      "run.requested": event("queued"),
      "run.dispatched": event("updated"),
      "run.started": event("started"),
      "run.cancelling": event("updated"),
      "run.retrying": event("updated"),
      "run.ended": event("ended"),
      "run.coalesced": event("updated"),
      "run.deleted": event("deleted"),
      "history.grown": null,
    },
  };
}
