import type { Why } from "@belfry/contract";
import { formatInstant, formatInstantOrNull, type Instant } from "../../kernel/time.ts";
import type { RunRow, RunStore } from "../runs/index.ts";
import type { Tasks } from "../tasks/index.ts";
import type { Planner } from "./plan.ts";
import type { ScheduleStore } from "./store.ts";
import type { ScheduleRow } from "./table.ts";

export interface WhyDeps {
  readonly store: ScheduleStore;
  readonly runs: RunStore;
  readonly tasks: Tasks;
  readonly planner: Planner;
}

type Answer = Why["schedules"][number];
type Verdict = Pick<Answer, "decision" | "reason"> & { readonly run: RunRow | null; readonly instant: Instant | null };

const gapWords = {
  paused: "the schedule was paused",
  disabled: "the schedule was disabled",
  changed: "the schedule was changed",
  clock_set_back: "the clock was set back, and the schedule went on from there",
} as const;

/** Why a task ran, or did not, at a time: each schedule's answer, read from the same rows that decided it. */
export function createWhy({ store, runs, tasks, planner }: WhyDeps) {
  return (taskId: string, at: Instant, now: Instant): Why => {
    const task = tasks.get(taskId);
    const reason = tasks.readiness(task);
    return {
      at: formatInstant(at),
      readiness: reason === "ready" ? "ready" : "not_ready",
      reason,
      schedules: store.listOfTask(taskId).map((row) => {
        const verdict = judge(row, at, now);
        return {
          schedule_id: row.id,
          schedule_name: row.name,
          decision: verdict.decision,
          run_id: verdict.run?.id ?? null,
          instant: formatInstantOrNull(verdict.instant),
          reason: verdict.reason,
        };
      }),
    };
  };

  function judge(row: ScheduleRow, at: Instant, now: Instant): Verdict {
    const none = { run: null, instant: null };
    const former = runs.findNewestOfSchedule(row.id, at);
    const instant = row.kind === "boot" ? null : (planner.timingOf(row).last(row.createdAt - 1, at, 1)[0] ?? null);
    if (former !== undefined && (instant === null || former.scheduledFor >= instant)) return verdictOf(former);
    if (instant === null) {
      if (at < row.createdAt) return { ...none, decision: "not_due", reason: "the schedule did not exist yet" };
      const next = row.nextAt === null ? "nothing lies ahead" : `the next instant is ${formatInstant(row.nextAt)}`;
      return {
        ...none,
        decision: "not_due",
        reason:
          row.kind === "boot" ? "the machine had not started anew" : `no instant lies at or before this time; ${next}`,
      };
    }
    const later = runs.findNextOfSchedule(row.id, instant);
    if (later?.coalescedFrom != null && later.coalescedFrom <= instant) {
      return {
        run: later,
        instant,
        decision: "coalesced",
        reason: `this instant was answered for by the row of ${formatInstant(later.scheduledFor)}`,
      };
    }
    const gap = store.findGap(row.id, instant);
    if (gap !== undefined) return { run: null, instant, decision: "not_due", reason: gapWords[gap.reason] };
    if (instant > row.cursorAt) {
      const reason = instant > now ? "this instant lies ahead" : "this instant is about to be answered for";
      return { run: null, instant, decision: "upcoming", reason };
    }
    return {
      run: null,
      instant,
      decision: "not_due",
      reason: "no row tells of this instant: the schedule was changed since, or its history was pruned",
    };
  }

  function verdictOf(run: RunRow): Verdict {
    const instant = run.scheduledFor;
    if (run.state === "skipped") return { run, instant, decision: "skipped", reason: run.reasonText ?? "was skipped" };
    if (run.startedAt === null && run.endedAt === null)
      return { run, instant, decision: "queued", reason: "the run waits for a slot" };
    const late = run.coalesced === 0 ? "" : `, for ${run.coalesced} earlier instants too`;
    const how = run.endedAt === null ? "is under way" : (run.reasonText ?? run.state);
    return { run, instant, decision: "ran", reason: `it ran${late}; ${how}` };
  }
}
