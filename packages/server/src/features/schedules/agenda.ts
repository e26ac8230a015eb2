import type { AgendaEntry } from "@belfry/contract";
import { formatInstant, type Instant } from "../../kernel/time.ts";
import type { TaskRow, Tasks } from "../tasks/index.ts";
import { cursorOf } from "./idle.ts";
import type { Planner } from "./plan.ts";
import { createSoonestFirst } from "./soonest-first.ts";
import type { ScheduleStore } from "./store.ts";
import type { ScheduleRow } from "./table.ts";
import type { CompiledTiming } from "./timing/next-occurrence.ts";

export interface AgendaDeps {
  readonly store: ScheduleStore;
  readonly tasks: Tasks;
  readonly planner: Planner;
}

/** [from, until] */
export interface Span {
  readonly from: Instant;
  readonly until: Instant;
  readonly limit: number;
}

interface Stream {
  readonly id: string;
  readonly row: ScheduleRow;
  readonly timing: CompiledTiming;
}

/** Each page is twice the one before: a few for the next hours, and still few where all must be read. */
const firstPage = 200;

/** What will run, over all schedules, soonest first: no schedule is read, and no instant computed, before its turn. */
export function listAgenda(
  deps: AgendaDeps,
  span: Span,
): { readonly entries: AgendaEntry[]; readonly complete: boolean } {
  const ahead = createSoonestFirst<Stream>();
  const unread = readPlanned(deps.store, span.until);
  const readyTask = rememberReady(deps.tasks);
  const offer = (stream: Stream, after: Instant): void => {
    const next = stream.timing.next(after);
    if (next !== null && next <= span.until) ahead.add(next, stream);
  };
  const entries: AgendaEntry[] = [];
  for (;;) {
    // a schedule that has not been read yet comes no sooner than its own next instant
    while (unread.row !== null && unread.row.nextAt! <= (ahead.soonestAt ?? Infinity)) {
      const { row } = unread;
      offer({ id: row.id, row, timing: deps.planner.timingOf(row) }, startOf(row, span));
      unread.advance();
    }
    const next = ahead.take();
    if (next === null) return { entries, complete: true };
    const { row, timing } = next.item;
    const task = readyTask(row.taskId);
    if (task === null) continue;
    if (entries.length === span.limit) return { entries, complete: false };
    entries.push({
      at: formatInstant(next.at),
      schedule_id: row.id,
      schedule_name: row.name,
      task_id: row.taskId,
      task_name: task.name,
      local: timing.describe(next.at).local,
    });
    offer(next.item, next.at);
  }
}

/** An instant that its jitter holds up until the span begins is part of it. */
function startOf(row: ScheduleRow, { from }: Span): Instant {
  return row.dueAt! >= from ? cursorOf(row) : Math.max(from - 1, cursorOf(row));
}

/** Schedules in the order of their next instants, a page at a time. */
function readPlanned(store: ScheduleStore, until: Instant) {
  let limit = firstPage;
  let page: readonly ScheduleRow[] = [];
  let index = 0;
  const turn = (after: { readonly nextAt: Instant; readonly id: string }): void => {
    page = store.listPlanned({ until, after, limit });
    index = 0;
  };
  turn({ nextAt: Number.MIN_SAFE_INTEGER, id: "" });
  return {
    get row(): ScheduleRow | null {
      return page[index] ?? null;
    },
    advance: (): void => {
      const { id, nextAt } = page[index]!;
      index++;
      if (index < limit) return;
      limit *= 2;
      turn({ nextAt: nextAt!, id });
    },
  };
}

/** A task that cannot start will not run, whatever its schedules say. */
function rememberReady(tasks: Tasks): (taskId: string) => TaskRow | null {
  const known = new Map<string, TaskRow | null>();
  return (taskId) => {
    let ready = known.get(taskId);
    if (ready === undefined) {
      const task = tasks.find(taskId);
      ready = task !== undefined && tasks.obstacleOf(task) === "ready" ? task : null;
      known.set(taskId, ready);
    }
    return ready;
  };
}
