import type { AgendaEntry, Occurrence } from "@belfry/contract";
import { formatInstant, type Instant } from "../../kernel/time.ts";
import type { Tasks } from "../tasks/index.ts";
import type { CompiledTiming } from "./timing/next-occurrence.ts";
import type { Planner } from "./plan.ts";
import { createSoonestFirst } from "./soonest-first.ts";
import type { ScheduleStore } from "./store.ts";
import type { ScheduleRow } from "./table.ts";
import { dueOf } from "./timings.ts";

export interface AgendaDeps {
  readonly store: ScheduleStore;
  readonly tasks: Tasks;
  readonly planner: Planner;
}

export interface Span {
  readonly from: Instant;
  readonly until: Instant;
  readonly limit: number;
}

/** What will run, over all schedules, soonest first: only as many instants are computed as are shown. */
export function listAgenda(
  { store, tasks, planner }: AgendaDeps,
  span: Span,
): { readonly entries: readonly AgendaEntry[]; readonly complete: boolean } {
  const ahead = createSoonestFirst<{
    readonly row: ScheduleRow;
    readonly taskName: string;
    readonly timing: CompiledTiming;
  }>();
  const offer = (item: Parameters<typeof ahead.add>[1], after: Instant): void => {
    const next = item.timing.next(after);
    if (next !== null && next <= span.until) ahead.add(next, item);
  };
  for (const row of store.listPlanned()) {
    const task = tasks.find(row.taskId);
    if (task === undefined || tasks.obstacleOf(task) !== "ready") continue;
    offer({ row, taskName: task.name, timing: planner.timingOf(row) }, Math.max(span.from, planner.cursorOf(row)));
  }
  const entries: AgendaEntry[] = [];
  for (let next = ahead.take(); next !== null; next = ahead.take()) {
    if (entries.length === span.limit) return { entries, complete: false };
    const { row, taskName, timing } = next.item;
    const at = formatInstant(next.at);
    entries.push({
      at,
      schedule_id: row.id,
      schedule_name: row.name,
      task_id: row.taskId,
      task_name: taskName,
      local: timing.describe(next.at).local,
    });
    offer(next.item, next.at);
  }
  return { entries, complete: true };
}

/** The next instants of one schedule, as people of its zone see them. */
export function listOccurrences(
  row: ScheduleRow,
  timing: CompiledTiming,
  of: { readonly from: Instant; readonly count: number },
): readonly Occurrence[] {
  const occurrences: Occurrence[] = [];
  for (let at = timing.next(of.from); at !== null && occurrences.length < of.count; at = timing.next(at)) {
    const { local, offset, note } = timing.describe(at);
    occurrences.push({
      instant: formatInstant(at),
      due_at: formatInstant(dueOf(row, at)),
      local,
      offset,
      dst_note: note,
    });
  }
  return occurrences;
}
