import { scheduleKinds } from "@belfry/contract";
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { membersOf } from "../../kernel/storage/change.ts";

export const schedules = sqliteTable("schedules", {
  id: text("id").primaryKey(),
  taskId: text("task_id").notNull(),
  name: text("name").notNull(),
  nameKey: text("name_key").notNull(),
  kind: text("kind", { enum: scheduleKinds }).notNull(),
  expression: text("expression"),
  everyMs: integer("every_ms"),
  at: integer("at"),
  timeZone: text("time_zone"),
  jitterMs: integer("jitter_ms").notNull(),
  spread: integer("spread", { mode: "boolean" }).notNull(),
  /** The constant delay of all instants; 0 without a spread. */
  spreadMs: integer("spread_ms").notNull(),
  misfirePolicy: text("misfire_policy", { enum: ["run_once", "run_all", "skip"] }).notNull(),
  misfireWindowMs: integer("misfire_window_ms").notNull(),
  misfireRunsMax: integer("misfire_runs_max").notNull(),
  dstGap: text("dst_gap", { enum: ["run_after", "skip"] }).notNull(),
  dstOverlap: text("dst_overlap", { enum: ["first", "both"] }).notNull(),
  startsAt: integer("starts_at"),
  endsAt: integer("ends_at"),
  enabled: integer("enabled", { mode: "boolean" }).notNull(),
  paused: integer("paused", { mode: "boolean" }).notNull(),
  pausedUntil: integer("paused_until"),
  /** Every instant of an interval is a multiple of its length away from this time. */
  anchorAt: integer("anchor_at").notNull(),
  /** Every due instant up to this time is recorded in the history. */
  cursorAt: integer("cursor_at").notNull(),
  /** The highest cursor, from before the clock was set back; null if it never was. */
  reachedAt: integer("reached_at"),
  /** The first instant after the cursor, and the time it is due with its delay. */
  nextAt: integer("next_at"),
  dueAt: integer("due_at"),
  lastRunAt: integer("last_run_at"),
  /** The latest boot of the machine that a boot schedule has handled. */
  bootId: text("boot_id"),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
  revision: integer("revision").notNull(),
});
export const scheduleMembers = membersOf({});

export type ScheduleRow = typeof schedules.$inferSelect;

/**
 * The periods in which a schedule was paused or disabled or, for `changed`, in which it had other times. A period
 * begins at `from` and ends before `until`.
 */
export const idlePeriods = sqliteTable(
  "schedule_gaps",
  {
    scheduleId: text("schedule_id").notNull(),
    fromAt: integer("from_at").notNull(),
    untilAt: integer("until_at").notNull(),
    reason: text("reason", { enum: ["paused", "disabled", "changed"] }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.scheduleId, table.fromAt, table.untilAt] })],
);
export type IdlePeriod = typeof idlePeriods.$inferSelect;
