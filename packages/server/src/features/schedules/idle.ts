import type { Instant } from "../../kernel/time/time.ts";
import type { ScheduleRow } from "./table.ts";

/** Until when something lasts that nobody has ended yet. */
export const openEnd: Instant = Number.MAX_SAFE_INTEGER;

/** Why a schedule does not fall due, and until when. */
export interface Idle {
  readonly reason: "disabled" | "paused";
  readonly until: Instant;
}

export type Pause = Pick<ScheduleRow, "paused" | "pausedUntil">;

/** Null when nothing keeps it from falling due. A schedule that is both disabled and paused is disabled. */
export function idleOf(row: Pause & Pick<ScheduleRow, "enabled">): Idle | null {
  if (!row.enabled) return { reason: "disabled", until: openEnd };
  return row.paused ? { reason: "paused", until: row.pausedUntil ?? openEnd } : null;
}

export function isPaused(row: Pause, now: Instant): boolean {
  return row.paused && (row.pausedUntil === null || row.pausedUntil > now);
}

/** Up to where instants are answered for: those within a pause are not due, so its end counts too. */
export function cursorOf(row: Pause & Pick<ScheduleRow, "cursorAt">): Instant {
  return row.paused && row.pausedUntil !== null ? Math.max(row.cursorAt, row.pausedUntil - 1) : row.cursorAt;
}

/** A pause ends by itself; its row keeps it until something else is written. */
export function withoutPastPause<R extends Pause & Pick<ScheduleRow, "cursorAt">>(row: R, now: Instant): R {
  return !row.paused || isPaused(row, now)
    ? row
    : { ...row, paused: false, pausedUntil: null, cursorAt: cursorOf(row) };
}
