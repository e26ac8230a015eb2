import type { AgendaGap } from "@belfry/contract";
import type { AgendaDeps, ReadyTask, Span } from "./agenda-span.ts";
import { viewClockGap } from "./clock-change-view.ts";
import { cursorOf } from "../idle.ts";
import type { ClockGap } from "../timing/compile-timing.ts";
import { tryToPlan } from "../unplannable.ts";

const pageSize = 500;

/**
 * Lists where clocks skip local times of schedules. A schedule whose time is skipped may have no entry for months, so
 * all schedules are read. This happens only if clocks of a zone in use go forward within the range, which is rare.
 */
export function listAgendaGaps(
  { store, planner }: Pick<AgendaDeps, "store" | "planner">,
  range: Span,
  readyTask: ReadyTask,
): AgendaGap[] {
  if (!planner.hasClockGap(range.from - 1, range.until)) return [];
  const found: { readonly gap: ClockGap; readonly entry: AgendaGap }[] = [];
  for (let after = "", rows = store.listPlannedCron(after, pageSize); rows.length > 0;) {
    for (const row of rows) {
      const task = readyTask(row.taskId);
      if (task === null) continue;
      const zone = planner.zoneOf(row, task);
      const start = Math.max(range.from - 1, cursorOf(row));
      const planned = tryToPlan(() => planner.timingOf(row, task));
      if ("fault" in planned) continue;
      for (const gap of planned.value.gaps(start, range.until, range.limit)) {
        const of = { schedule_id: row.id, schedule_name: row.name, task_id: row.taskId, task_name: task.name };
        found.push({ gap, entry: { ...of, time_zone: zone, ...viewClockGap(gap) } });
      }
    }
    after = rows.at(-1)!.id;
    rows = store.listPlannedCron(after, pageSize);
  }
  return found
    .toSorted((one, other) => one.gap.at - other.gap.at)
    .slice(0, range.limit)
    .map(({ entry }) => entry);
}
