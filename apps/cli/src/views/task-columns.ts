import { isSkipped } from "../find/held-tasks.ts";
import type { Column } from "../output/table.ts";
import { formatRelative } from "../output/time.ts";
import { byNextRun, currentTimingText } from "./schedule.ts";
import { glancePaint, glanceText, lastResultPaint, lastResultText, type TaskRow } from "./task-glance.ts";

/** The columns of `belfry task list` by the names that `--columns` takes. */
export function namedTaskColumns(nowMs: number) {
  return {
    name: { title: "NAME", text: ({ task }) => task.name, isFlexible: true },
    group: { title: "GROUP", text: ({ task }) => task.group_name, isFlexible: true },
    schedule: { title: "SCHEDULE", text: ({ schedules }) => schedulesText(schedules, nowMs), isFlexible: true },
    last: {
      title: "LAST RESULT",
      text: ({ task }) => lastResultText(task, nowMs),
      color: ({ task }) => lastResultPaint(task),
    },
    next: {
      title: "NEXT RUN",
      text: ({ task, release }) => {
        const at = nextRunOf(task);
        if (at === null) return null;
        return isSkipped(at, release) ? "skipped: held" : formatRelative(at, nowMs);
      },
    },
    state: {
      title: "STATE",
      text: (row) => glanceText(row, nowMs),
      color: (row) => glancePaint(row, nowMs),
    },
    "last-time": { title: "LAST TIME", text: ({ task }) => task.last_run?.ended_at ?? null, isTime: true },
    "next-time": { title: "NEXT TIME", text: ({ task }) => nextRunOf(task), isTime: true },
    id: { title: "ID", text: ({ task }) => task.id, color: () => "dim" },
  } as const satisfies Readonly<Record<string, Column<TaskRow>>>;
}

export type TaskColumnName = keyof ReturnType<typeof namedTaskColumns>;

export const taskColumnNames = Object.keys(namedTaskColumns(0)) as readonly TaskColumnName[];

const shownNames: readonly TaskColumnName[] = ["name", "group", "schedule", "last", "next", "state"];

/** The names of the columns for these rows. A list without any group has no column for it. */
export function defaultColumnNames(rows: readonly TaskRow[], isWide: boolean): readonly TaskColumnName[] {
  if (isWide) return taskColumnNames;
  const hasGroups = rows.some(({ task }) => task.group_name !== null);
  return shownNames.filter((name) => name !== "group" || hasGroups);
}

/** An older daemon does not report it. */
function nextRunOf({ next_run_at: at = null }: Partial<TaskRow["task"]>): string | null {
  return at;
}

/** `0 3 * * *`; of several schedules, the one that is due next and the number of the others. */
function schedulesText(schedules: TaskRow["schedules"], nowMs: number): string | null {
  const [first] = schedules.toSorted(byNextRun(nowMs));
  if (first === undefined) return null;
  return `${currentTimingText(first, nowMs)}${schedules.length === 1 ? "" : ` and ${schedules.length - 1} more`}`;
}
