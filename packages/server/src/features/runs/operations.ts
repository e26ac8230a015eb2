import type { runOperations } from "@belfry/contract";
import { invalid } from "../../kernel/errors/errors.ts";
import type { OperationsOf } from "../../kernel/operation.ts";
import { readList } from "../../kernel/storage/page.ts";
import { readSpan } from "../../kernel/time/span.ts";
import { parseInstant } from "../../kernel/time/time.ts";
import type { Tasks } from "../tasks/index.ts";
import type { RunFact } from "./facts.ts";
import type { FailureStore } from "./failure-store.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { Requests } from "./request.ts";
import type { RunStore } from "./store.ts";
import { viewAttempt, viewRun } from "./view.ts";
import type { ExplainWait } from "./waiting.ts";

export interface RunOperationDeps {
  readonly store: RunStore;
  readonly failures: FailureStore;
  readonly tasks: Tasks;
  readonly requests: Requests;
  readonly lifecycle: Lifecycle;
  readonly explainWait: ExplainWait;
}

export function serveRuns({
  store,
  failures,
  tasks,
  requests,
  lifecycle,
  explainWait,
}: RunOperationDeps): OperationsOf<typeof runOperations, RunFact> {
  return {
    "tasks.run": {
      handle: (unit, { params, body, actor }) => {
        const task = tasks.get(params.id);
        const at = body.scheduled_for === null ? null : parseInstant(body.scheduled_for);
        if (at !== null && at < unit.now)
          throw invalid("scheduled_for", "scheduled_for is in the past: leave it out to run now");
        return viewRun(requests.requestByHand(unit, task, at), actor);
      },
    },
    "runs.list": {
      handle: ({ query, actor }) => {
        const filters = {
          taskId: query.task_id,
          groupId: query.group_id,
          state: query.state,
          ended: query.ended,
          active: query.active,
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
        return { runs: rows.map((row) => viewRun(row, actor)), next_cursor };
      },
    },
    "runs.get": {
      handle: ({ params, actor, now }) => {
        const row = lifecycle.get(params.id);
        const run = viewRun(row, actor);
        return row.state === "queued" ? { ...run, waiting: explainWait(row, { now, viewer: actor }) } : run;
      },
    },
    "runs.attempts": {
      handle: ({ params }) => ({ attempts: store.listAttempts(lifecycle.get(params.id).id).map(viewAttempt) }),
    },
    "runs.failures": {
      handle: ({ query, actor }) => {
        const found = failures.listFailedTasks(parseInstant(query.since), query.limit ?? 50);
        return {
          tasks: found.tasks.map(({ taskId, failures: count, lastRunId, hasRecovered }) => ({
            task_id: taskId,
            failures: count,
            last: viewRun(lifecycle.get(lastRunId), actor),
            has_recovered: tasks.find(taskId) === undefined ? null : hasRecovered,
          })),
          task_count: found.count,
        };
      },
    },
    "runs.cancel": { handle: (unit, { params, actor }) => viewRun(lifecycle.cancel(unit, params.id), actor) },
    "runs.rerun": {
      handle: (unit, { params, actor }) => {
        const former = lifecycle.get(params.id);
        return viewRun(requests.requestByHand(unit, tasks.get(former.taskId), null), actor);
      },
    },
  };
}
