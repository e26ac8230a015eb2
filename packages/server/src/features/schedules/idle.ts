import type { Instant } from "../../kernel/time/time.ts";
import type { ScheduleRow } from "./table.ts";

/** The end of a period that has no end yet. */
export const openEnd: Instant = Number.MAX_SAFE_INTEGER;

/** Why a schedule is not due, and until when. */
export interface Idle {
  readonly reason: "disabled" | "paused";
  readonly until: Instant;
}

export type Pause = Pick<ScheduleRow, "paused" | "pausedUntil">;

/**
 * Returns why a schedule is not due; null if it is neither disabled nor paused. A schedule that is both counts as
 * disabled.
 */
export function idleOf(row: Pause & Pick<ScheduleRow, "enabled">): Idle | null {
  if (!row.enabled) return { reason: "disabled", until: openEnd };
  return row.paused ? { reason: "paused", until: row.pausedUntil ?? openEnd } : null;
}

export function isPaused(row: Pause, now: Instant): boolean {
  return row.paused && (row.pausedUntil === null || row.pausedUntil > now);
}

/**
 * Returns the last instant that is decided. Instants within a pause are not due, so a pause with an end decides every
 * instant before its end.
 */
export function cursorOf(row: Pause & Pick<ScheduleRow, "cursorAt">): Instant {
  return row.paused && row.pausedUntil !== null ? Math.max(row.cursorAt, row.pausedUntil - 1) : row.cursorAt;
}

/** Removes a pause that has ended. The pause ends by itself, but the row has it until the next write. */
export function withoutPastPause<R extends Pause & Pick<ScheduleRow, "cursorAt">>(row: R, now: Instant): R {
  return !row.paused || isPaused(row, now)
    ? row
    : { ...row, paused: false, pausedUntil: null, cursorAt: cursorOf(row) };
}
