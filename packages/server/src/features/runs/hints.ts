import type { Hints } from "../../kernel/module.ts";
import type { HistoryGrown, RunFact } from "./facts.ts";
import type { RunStore } from "./store.ts";
import { attemptNumber } from "./view.ts";

export function runHints(runs: Pick<RunStore, "find">): Hints<RunFact | HistoryGrown> {
  const hint =
    (verb: "queued" | "started" | "updated" | "ended" | "deleted") =>
    ({ runId: id, taskId: task_id }: { readonly runId: string; readonly taskId: string }) => {
      const row = runs.find(id);
      const now = row === undefined ? {} : { state: row.state, outcome: row.outcome, attempt: attemptNumber(row) };
      return { kind: "run", verb, id, task_id, ...now } as const;
    };
  return {
    kind: "run",
    of: {
      "run.requested": hint("queued"),
      "run.dispatched": hint("updated"),
      "run.started": hint("started"),
      "run.cancelling": hint("updated"),
      "run.retrying": hint("updated"),
      "run.ended": hint("ended"),
      "run.coalesced": hint("updated"),
      "run.deleted": hint("deleted"),
      "history.grown": null,
    },
  };
}
