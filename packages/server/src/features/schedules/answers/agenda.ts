import type { Agenda, AgendaEntry, UnplannedSchedule } from "@belfry/contract";
import { formatInstant, type Instant } from "../../../kernel/time/time.ts";
import type { TaskRow, Tasks } from "../../tasks/index.ts";
import { listAgendaGaps } from "./agenda-dst-gaps.ts";
import { createSeriesReader, viewSeries } from "./agenda-series.ts";
import type { AgendaDeps, AgendaRequest, ReadyTask, Span } from "./agenda-span.ts";
import { viewClockChange } from "./clock-change-view.ts";
import { createDueOrder } from "../ticking/due-order.ts";
import { cursorOf } from "../idle.ts";
import { createSoonestFirst } from "./soonest-first.ts";
import { unplannable } from "./why-sentences.ts";
import type { ScheduleStore } from "../store.ts";
import type { ScheduleRow } from "../table.ts";
import type { CompiledTiming } from "../timing/compile-timing.ts";
import { tryToPlan } from "../unplannable.ts";

interface Stream {
  readonly id: string;
  readonly row: ScheduleRow;
  readonly timing: CompiledTiming;
  readonly dueOf: (instant: Instant) => Instant;
  /** Whether its instants are too few to collapse. */
  readonly isCounted: boolean;
}

/**
 * The size of the first page. Each page is twice as large as the one before: a short agenda reads few schedules, and a
 * long one needs few pages.
 */
const firstPage = 200;

/**
 * Lists the upcoming runs of all schedules, soonest first, and the local times that clocks skip up to the last of them.
 */
export function listAgenda(
  deps: AgendaDeps,
  request: AgendaRequest,
): Pick<Agenda, "entries" | "unplanned" | "dst_gaps" | "complete"> {
  const readyTask = rememberReady(deps.tasks, request);
  const { entries, unplanned, lastAt } = listEntries(deps, request, readyTask);
  const dst_gaps = listAgendaGaps(deps, { ...request, until: lastAt ?? request.until }, readyTask);
  return { entries, unplanned, dst_gaps, complete: lastAt === null };
}

interface Entries {
  readonly entries: AgendaEntry[];
  readonly unplanned: UnplannedSchedule[];
  /** The instant of the last entry, if the limit cut the list short. */
  readonly lastAt: Instant | null;
}

/** Lists the entries. It reads each schedule and computes each instant only when its turn comes. */
function listEntries(deps: AgendaDeps, span: AgendaRequest, readyTask: ReadyTask): Entries {
  const ahead = createSoonestFirst<Stream>();
  const unread = readPlanned(deps.store, span.until);
  const offer = (stream: Stream, after: Instant): void => {
    const next = stream.timing.next(after);
    if (next !== null && next <= span.until) ahead.add(next, stream);
  };
  const readSeries = createSeriesReader(span.until);
  const entries: AgendaEntry[] = [];
  const unplanned: UnplannedSchedule[] = [];
  let lastAt = span.from;
  for (;;) {
    // a schedule that has not been read yet comes no sooner than its own next instant
    while (unread.row !== null && unread.row.nextAt! <= (ahead.soonestAt ?? Infinity)) {
      const { row } = unread;
      // a schedule of another task is not planned
      const planned = readyTask(row.taskId) === null ? null : tryToPlan(() => deps.planner.timingOf(row));
      if (planned === null) {
        unread.advance();
        continue;
      }
      if ("fault" in planned) refuse(row, planned.fault);
      else {
        const dueOf = createDueOrder(row, planned.value, cursorOf(row));
        offer({ id: row.id, row, timing: planned.value, dueOf, isCounted: false }, startOf(row, span));
      }
      unread.advance();
    }
    const next = ahead.take();
    if (next === null) return { entries, unplanned, lastAt: null };
    const { row, timing, dueOf } = next.item;
    const task = readyTask(row.taskId);
    if (task === null) continue;
    if (entries.length === span.limit) return { entries, unplanned, lastAt };
    lastAt = next.at;
    const { local, change } = timing.describe(next.at);
    const series = span.isCollapsed && !next.item.isCounted ? readSeries(timing, next.at) : null;
    entries.push({
      at: formatInstant(next.at),
      due_at: formatInstant(dueOf(next.at)),
      schedule_id: row.id,
      schedule_name: row.name,
      task_id: row.taskId,
      task_name: task.name,
      local,
      ...viewClockChange(change),
      ...viewSeries(series, next.at),
    });
    if (series === null) offer({ ...next.item, isCounted: true }, next.at);
  }

  function refuse(row: ScheduleRow, fault: string): void {
    const task = readyTask(row.taskId);
    if (task === null || unplanned.length === span.limit) return;
    const of = { schedule_id: row.id, schedule_name: row.name, task_id: row.taskId, task_name: task.name };
    unplanned.push({ ...of, reason: unplannable(fault) });
  }
}

/** Returns the instant after which to list. An instant that its jitter delays into the span is part of the span. */
function startOf(row: ScheduleRow, { from }: Span): Instant {
  return row.dueAt! >= from ? cursorOf(row) : Math.max(from - 1, cursorOf(row));
}

/** Reads schedules in the order of their next instants, a page at a time. */
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

/** Finds the tasks of the agenda that can start, and remembers the answers. Schedules of other tasks are left out. */
function rememberReady(tasks: Tasks, { taskId: wanted, groupId }: AgendaRequest): ReadyTask {
  const known = new Map<string, TaskRow | null>();
  return (taskId) => {
    let ready = known.get(taskId);
    if (ready === undefined) {
      const task = tasks.find(taskId);
      const isWanted =
        (wanted === undefined || wanted === taskId) && (groupId === undefined || groupId === task?.groupId);
      ready = task !== undefined && isWanted && canRun(tasks, task) ? task : null;
      known.set(taskId, ready);
    }
    return ready;
  };
}

/** A hold does not hide the runs after its release. */
function canRun(tasks: Tasks, task: TaskRow): boolean {
  const obstacle = tasks.obstacleOf(task);
  return obstacle === "ready" || obstacle === "held";
}
