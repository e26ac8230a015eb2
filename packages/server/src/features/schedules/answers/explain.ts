import type { Why } from "@belfry/contract";
import { formatInstant, formatInstantOrNull, type Instant } from "../../../kernel/time/time.ts";
import { decisionOf, type DescribeRun, type RunRow, type RunStore } from "../../runs/index.ts";
import type { WhyQuestion } from "../../tasks/index.ts";
import { cursorOf, idleOf, openEnd, withoutPastPause } from "../idle.ts";
import { createDueOrder } from "../ticking/due-order.ts";
import { latenessMaxMs } from "../ticking/misfire.ts";
import type { Planner } from "../ticking/plan.ts";
import type { ScheduleStore } from "../store.ts";
import type { ScheduleRow } from "../table.ts";
import { tryToPlan } from "../unplannable.ts";
import * as sentences from "./why-sentences.ts";

export interface ExplainDeps {
  readonly store: ScheduleStore;
  readonly runs: RunStore;
  readonly planner: Planner;
  readonly describeRun: DescribeRun;
}

interface Verdict {
  readonly decision: Why["schedules"][number]["decision"];
  /** A sentence without its full stop. */
  readonly reason: string;
  readonly run?: RunRow;
  readonly instant?: Instant;
}

/**
 * Explains for each schedule of a task why it made the task run at a time, or did not. Reads the rows that decided it.
 */
export function createExplainSchedules({ store, runs, planner, describeRun }: ExplainDeps) {
  return (question: WhyQuestion): Why["schedules"] =>
    store.listOfTask(question.taskId).map((row) => {
      const verdict = judge(row, question);
      return {
        schedule_id: row.id,
        schedule_name: row.name,
        decision: verdict.decision,
        run_id: verdict.run?.id ?? null,
        instant: formatInstantOrNull(verdict.instant ?? null),
        reason: verdict.reason,
        ...presentState(row, question.now),
      };
    });

  /** Explains the latest scheduled time: by its own run, else by the run it was merged into, else by an idle period. */
  function judge(row: ScheduleRow, question: WhyQuestion): Verdict {
    const { at, now } = question;
    const former = runs.findNewestOfSchedule(row.id, at);
    const planned = tryToPlan(() => planner.timingOf(row));
    if ("fault" in planned) return { decision: "not_due", reason: sentences.unplannable(planned.fault) };
    const timing = planned.value;
    const instant = timing.last(row.createdAt - 1, at, 1)[0] ?? null;
    const dueAfter = (cursor: Instant, of: Instant): Instant => createDueOrder(row, timing, cursor)(of);
    if (former !== undefined && (instant === null || former.scheduledFor >= instant)) {
      return explainRun(former, dueAfter(row.createdAt - 1, former.scheduledFor), question);
    }
    if (instant === null) return { decision: "not_due", reason: sentences.noScheduledTime(row, question) };
    const later = runs.findNextOfSchedule(row.id, instant);
    // an instant after the cursor is not decided, even if a row merged it in as missed: that clock ran ahead and was
    // corrected
    const isDecided = instant <= cursorOf(row);
    const isCoalesced = isDecided && later?.coalescedFrom != null && later.coalescedFrom <= instant;
    if (isCoalesced) return { run: later, instant, decision: "coalesced", reason: sentences.coalesced(later) };
    const period = store.idlePeriods.find(row.id, instant);
    if (period !== undefined) return { instant, decision: "not_due", reason: sentences.idlePeriod(period, now) };
    if (isDecided) return { instant, decision: "not_due", reason: sentences.noRecord };
    return {
      instant,
      decision: "upcoming",
      reason: sentences.upcoming({ instant, due: dueAfter(cursorOf(row), instant), row }, now),
    };
  }

  function explainRun(run: RunRow, due: Instant, question: WhyQuestion): Verdict {
    const isLate = run.startedAt !== null && run.startedAt - due > latenessMaxMs;
    const reason = sentences.run(run, { status: describeRun(run, question), isLate });
    return { run, instant: run.scheduledFor, decision: decisionOf(run), reason };
  }
}

/** Whether the schedule is due at all now, which an earlier decision does not say. */
function presentState(row: ScheduleRow, now: Instant): Pick<Why["schedules"][number], "state" | "paused_until"> {
  const idle = idleOf(withoutPastPause(row, now));
  const until = idle === null || idle.until === openEnd ? null : formatInstant(idle.until);
  return { state: idle?.reason ?? "enabled", paused_until: until };
}
