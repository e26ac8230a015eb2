import type { Command, Retry } from "@belfry/contract";
import { blob, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { membersOf } from "../../kernel/storage/change.ts";

export const tasks = sqliteTable("tasks", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  nameKey: text("name_key").notNull(),
  description: text("description"),
  groupId: text("group_id"),
  lifecycle: text("lifecycle", { enum: ["draft", "active", "archived"] }).notNull(),
  enabled: integer("enabled", { mode: "boolean" }).notNull(),
  command: text("command_json", { mode: "json" }).$type<Command>(),
  runAs: text("run_as"),
  workingDirectory: text("working_directory"),
  environmentNames: text("environment_names_json", { mode: "json" }).$type<readonly string[]>().notNull(),
  environmentSealed: blob("environment_sealed", { mode: "buffer" }),
  standardInputSealed: blob("standard_input_sealed", { mode: "buffer" }),
  timeoutMs: integer("timeout_ms"),
  killGraceMs: integer("kill_grace_ms").notNull(),
  leftovers: text("leftovers", { enum: ["leave", "kill"] }).notNull(),
  retry: text("retry_json", { mode: "json" }).$type<Retry>().notNull(),
  onLost: text("on_lost", { enum: ["fail", "retry"] }).notNull(),
  priority: integer("priority").notNull(),
  concurrencyLimit: integer("concurrency_limit").notNull(),
  concurrencyKey: text("concurrency_key"),
  onConflict: text("on_conflict", { enum: ["queue", "skip", "replace"] }).notNull(),
  successExitCodes: text("success_exit_codes_json", { mode: "json" }).$type<readonly number[]>().notNull(),
  outputBytesMax: integer("output_bytes_max").notNull(),
  expectSuccessWithinMs: integer("expect_success_within_ms"),
  retentionRuns: integer("retention_runs").notNull(),
  retentionAgeMs: integer("retention_age_ms").notNull(),
  retentionBytes: integer("retention_bytes").notNull(),
  labels: text("labels_json", { mode: "json" }).$type<Readonly<Record<string, string>>>().notNull(),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
  revision: integer("revision").notNull(),
});

export const taskMembers = membersOf({
  environmentNames: "environment",
  environmentSealed: "environment",
  standardInputSealed: "standard_input",
});

export type TaskRow = typeof tasks.$inferSelect;

export const taskLabels = sqliteTable(
  "task_labels",
  {
    key: text("key").notNull(),
    value: text("value").notNull(),
    taskId: text("task_id").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.key, table.value, table.taskId] }),
    index("task_labels_by_task").on(table.taskId),
  ],
);

/** What the runs of a task left. It changes with each end, and a task's own row may be large. */
export const taskResults = sqliteTable("task_results", {
  taskId: text("task_id").primaryKey(),
  /** The output that is kept of all attempts that have ended. */
  keptBytes: integer("kept_bytes").notNull(),
  lastSuccessAt: integer("last_success_at"),
  /** When the task was created, enabled or activated last. */
  countedFrom: integer("counted_from").notNull(),
  /** When a success will be overdue; null while none is expected. */
  overdueAt: integer("overdue_at"),
});
export type TaskResultRow = typeof taskResults.$inferSelect;
