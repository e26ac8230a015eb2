import type { runOperations } from "@belfry/contract";
import { invalid } from "../../kernel/errors/errors.ts";
import type { HandlersOf } from "../../kernel/operation.ts";
import { readList } from "../../kernel/storage/page.ts";
import { readSpan } from "../../kernel/time/span.ts";
import { parseInstant } from "../../kernel/time/time.ts";
import type { Tasks } from "../tasks/index.ts";
import type { RunFact } from "./facts.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { Requests } from "./request.ts";
import type { RunStore } from "./store.ts";
import { viewRun } from "./view.ts";

/** All but the output, which the engine answers: it lies in the runner's files. */
export type RunHandlers = Omit<HandlersOf<typeof runOperations, RunFact>, "runs.output">;

export interface RunHandlerDeps {
  readonly store: RunStore;
  readonly tasks: Tasks;
  readonly requests: Requests;
  readonly lifecycle: Lifecycle;
}

export function createRunHandlers({ store, tasks, requests, lifecycle }: RunHandlerDeps): RunHandlers {
  return {
    "tasks.run": (unit, { params, body }) => {
      const task = tasks.get(params.id);
      const at = body.scheduled_for === null ? null : parseInstant(body.scheduled_for);
      if (at !== null && at < unit.now)
        throw invalid("scheduled_for", "scheduled_for is in the past: leave it out to run now");
      return viewRun(requests.requestByHand(unit, task, at));
    },
    "runs.list": ({ query }) => {
      const filters = {
        taskId: query.task_id,
        groupId: query.group_id,
        state: query.state,
        outcome: query.outcome,
        trigger: query.trigger,
        ...readSpan(query),
      };
      const { rows, next_cursor } = readList({
        operation: "runs.list",
        query,
        find: (page) => store.list(filters, page),
        startOf: (row) => ({ at: row.queuedAt, id: row.id }),
      });
      return { runs: rows.map(viewRun), next_cursor };
    },
    "runs.get": ({ params }) => viewRun(lifecycle.get(params.id)),
    "runs.cancel": (unit, { params }) => viewRun(lifecycle.cancel(unit, params.id)),
    "runs.rerun": (unit, { params }) => {
      const former = lifecycle.get(params.id);
      return viewRun(requests.requestByHand(unit, tasks.get(former.taskId), null));
    },
  };
}
