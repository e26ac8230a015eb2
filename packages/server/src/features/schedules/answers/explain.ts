import type { Why } from "@belfry/contract";
import { formatInstant, formatInstantOrNull, type Instant } from "../../../kernel/time/time.ts";
import type { RunRow, RunStore } from "../../runs/index.ts";
import { cursorOf, openEnd } from "../idle.ts";
import { latenessMaxMs } from "../ticking/misfire.ts";
import { createDueOrder } from "../ticking/due-order.ts";
import type { Planner } from "../ticking/plan.ts";
import type { ScheduleStore } from "../store.ts";
import type { ScheduleGap, ScheduleRow } from "../table.ts";

export interface ExplainDeps {
  readonly store: ScheduleStore;
  readonly runs: RunStore;
  readonly planner: Planner;
}

type Decision = Why["schedules"][number]["decision"];

interface Verdict {
  readonly decision: Decision;
  /** A sentence without its full stop. */
  readonly reason: string;
  readonly run?: RunRow;
  readonly instant?: Instant;
}

interface Question {
  readonly row: ScheduleRow;
  readonly at: Instant;
  readonly now: Instant;
}

/** Why each schedule of a task made it run at a time, or did not: read from the same rows that decided it. */
export function createExplainSchedules({ store, runs, planner }: ExplainDeps) {
  return (taskId: string, at: Instant, now: Instant): Why["schedules"] =>
    store.listOfTask(taskId).map((row) => {
      const verdict = judge({ row, at, now });
      return {
        schedule_id: row.id,
        schedule_name: row.name,
        decision: verdict.decision,
        run_id: verdict.run?.id ?? null,
        instant: formatInstantOrNull(verdict.instant ?? null),
        reason: verdict.reason,
      };
    });

  /** Of the newest instant at or before the time: a row of its own first, then a row that stands for it, then a gap. */
  function judge({ row, at, now }: Question): Verdict {
    const former = runs.findNewestOfSchedule(row.id, at);
    const timing = planner.timingOf(row);
    const instant = timing.last(row.createdAt - 1, at, 1)[0] ?? null;
    const dueAfter = (settledUntil: Instant, of: Instant): Instant => createDueOrder(row, timing, settledUntil)(of);
    if (former !== undefined && (instant === null || former.scheduledFor >= instant)) {
      return tellRun(former, dueAfter(row.createdAt - 1, former.scheduledFor));
    }
    if (instant === null) return tellNothing({ row, at, now });
    const later = runs.findNextOfSchedule(row.id, instant);
    // one that a clock that ran ahead took for missed, and that is ahead again, is answered for anew
    const isAnswered = instant <= cursorOf(row);
    const isCoalesced = isAnswered && later?.coalescedFrom != null && later.coalescedFrom <= instant;
    if (isCoalesced) return tellCoalesced(later, instant);
    const gap = store.gaps.find(row.id, instant);
    if (gap !== undefined) return { instant, decision: "not_due", reason: tellGap(gap, now) };
    if (!isAnswered) return tellAhead(instant, dueAfter(cursorOf(row), instant), now);
    return { instant, decision: "not_due", reason: "Nothing tells of this instant any more: its history was pruned" };
  }
}

function tellNothing({ row, at }: Question): Verdict {
  if (at < row.createdAt) return { decision: "not_due", reason: "The schedule did not exist yet" };
  if (row.kind === "boot") {
    return { decision: "not_due", reason: "It runs once after each boot of the machine, and had none up to this time" };
  }
  const next = row.nextAt === null ? "none lies ahead" : `the next is ${formatInstant(row.nextAt)}`;
  return { decision: "not_due", reason: `It has no instant up to this time; ${next}` };
}

function tellAhead(instant: Instant, due: Instant, now: Instant): Verdict {
  const when = due === instant ? "" : `, with its jitter at ${formatInstant(due)}`;
  const reason = due > now ? `It will fall due${when}` : "It is due, and about to be answered for";
  return { instant, decision: "upcoming", reason };
}

function tellCoalesced(run: RunRow, instant: Instant): Verdict {
  const which = formatInstant(run.scheduledFor);
  const reason =
    run.state === "skipped"
      ? `It ${run.reasonText}; the entry for ${which} stands for it`
      : `It was missed; the run for ${which} made up for it`;
  return { run, instant, decision: "coalesced", reason };
}

function tellRun(run: RunRow, due: Instant): Verdict {
  const of = { run, instant: run.scheduledFor };
  const others =
    run.coalesced === 0
      ? ""
      : `; it stands for ${run.coalesced} earlier ${run.coalesced === 1 ? "instant" : "instants"} too`;
  if (run.state === "skipped") return { ...of, decision: "skipped", reason: `It ${run.reasonText}${others}` };
  if (run.startedAt === null && run.endedAt !== null) {
    return { ...of, decision: "skipped", reason: `It ${run.reasonText} before it started${others}` };
  }
  if (run.startedAt === null) return { ...of, decision: "queued", reason: `It waits for its turn${others}` };
  const isLate = run.startedAt - due > latenessMaxMs;
  const start = isLate ? `started late, at ${formatInstant(run.startedAt)}, and ` : "";
  const end = run.endedAt === null ? "is under way" : (run.reasonText ?? run.state);
  return { ...of, decision: "ran", reason: `It ${start}${end}${others}` };
}

function tellGap(gap: ScheduleGap, now: Instant): string {
  if (gap.reason === "changed") {
    return `The schedule was changed at ${formatInstant(gap.untilAt - 1)}; before, it had other times`;
  }
  if (gap.untilAt <= now) return `The schedule was ${gap.reason} until ${formatInstant(gap.untilAt)}`;
  return `The schedule is ${gap.reason}${gap.untilAt === openEnd ? "" : ` until ${formatInstant(gap.untilAt)}`}`;
}
