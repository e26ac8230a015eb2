import type { RunOutcome } from "@belfry/contract";
import type { Unit } from "../../kernel/storage/write.ts";
import type { Instant } from "../../kernel/time/time.ts";
import type { TaskFact } from "./facts.ts";
import type { TaskStore } from "./store.ts";
import type { TaskResultRow, TaskRow } from "./table.ts";

/** The end of a run, as the modules above this one report it. */
export interface RunResult {
  readonly taskId: string;
  readonly outcome: RunOutcome | null;
  readonly end: { readonly endedAt: Instant | null };
}

/** Keeps when each task last succeeded, and when its next success will be overdue. */
export function createExpectedSuccess(store: TaskStore) {
  return {
    onCreated: (unit: Unit, task: TaskRow): void => {
      const counts = { lastSuccessAt: null, countedFrom: unit.now };
      store.insertResult({ taskId: task.id, keptBytes: 0, ...counts, overdueAt: overdueAtOf(task, counts) });
    },
    onChanged: (unit: Unit, before: TaskRow, after: TaskRow): void => {
      const result = store.findResult(after.id);
      if (result === undefined) return;
      const isSwitchedOn =
        (!before.enabled && after.enabled) || (before.lifecycle !== "active" && after.lifecycle === "active");
      const countedFrom = isSwitchedOn ? unit.now : result.countedFrom;
      const { lastSuccessAt } = result;
      store.updateResult(after.id, {
        lastSuccessAt,
        countedFrom,
        overdueAt: overdueAtOf(after, { lastSuccessAt, countedFrom }),
      });
    },
    onRunEnded: (unit: Unit<TaskFact>, { taskId, outcome, end }: RunResult): void => {
      const result = outcome === "success" ? store.findResult(taskId) : undefined;
      if (result === undefined) return;
      // a time in the future is from before the clock was set back
      const lastSuccessAt = Math.min(Math.max(result.lastSuccessAt ?? 0, end.endedAt ?? unit.now), unit.now);
      const counts = { lastSuccessAt, countedFrom: result.countedFrom };
      // a task whose success nobody expects need not be read
      const task = result.overdueAt === null ? undefined : store.find(taskId);
      const overdueAt = task === undefined ? null : overdueAtOf(task, counts);
      store.updateResult(taskId, { ...counts, overdueAt });
      if (isOverdue(result, unit.now) && !isOverdue({ overdueAt }, unit.now))
        unit.record({ name: "task.recovered", taskId });
    },
  };
}

export function isOverdue({ overdueAt }: Pick<TaskResultRow, "overdueAt">, now: Instant): boolean {
  return overdueAt !== null && overdueAt <= now;
}

function overdueAtOf(
  { enabled, lifecycle, expectSuccessWithinMs }: TaskRow,
  { lastSuccessAt, countedFrom }: Pick<TaskResultRow, "lastSuccessAt" | "countedFrom">,
): Instant | null {
  if (expectSuccessWithinMs === null || !enabled || lifecycle !== "active") return null;
  return Math.max(lastSuccessAt ?? 0, countedFrom) + expectSuccessWithinMs;
}
