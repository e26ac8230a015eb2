import {
  ImportRequest,
  PreviewRequest,
  ScheduleCreate,
  TaskCreate,
  TaskPatch,
  TriggerSetCreate,
} from "@belfry/contract";
import { expect, test } from "vitest";
import type { z } from "zod";
import { refusalOf } from "./validation.ts";

function refusal(schema: z.ZodType, value: unknown): readonly [string | null, string] {
  const { error } = schema.safeParse(value);
  if (error === undefined) throw new Error(`taken: ${JSON.stringify(value)}`);
  const { field, message } = refusalOf(error, "json");
  return [field, message];
}

const id = "tsk_00000000000000000000";

test.each([
  [TaskCreate, {}, "name", "name is required"],
  [TaskCreate, [], null, "the body must be an object"],
  [TaskCreate, { name: "" }, "name", "name must not be empty"],
  [TaskCreate, { name: 7 }, "name", "name must be a string"],
  [TaskCreate, { name: "a", surprise: 1 }, "surprise", "there is no member surprise here"],
  [TaskCreate, { name: "a", retry: { tries: 1 } }, "retry.tries", "there is no member tries here"],
  [TaskCreate, { name: "a", priority: 101 }, "priority", "priority must be at most 100"],
  [TaskCreate, { name: "a", priority: 0.5 }, "priority", "priority must be a whole number"],
  [
    TaskCreate,
    { name: "a", success_exit_codes: [] },
    "success_exit_codes",
    "success_exit_codes must have at least 1 item",
  ],
  [
    TaskCreate,
    { name: "a", success_exit_codes: [0, "1"] },
    "success_exit_codes.1",
    "success_exit_codes.1 must be a number",
  ],
  [TaskCreate, { name: "a", command: { kind: "shell" } }, "command.script", "command.script is required"],
  [
    TaskCreate,
    { name: "a", command: { kind: "magic" } },
    "command.kind",
    "command.kind must be one of the kinds the documentation names",
  ],
  [TaskCreate, { name: "a", command: 7 }, "command", "command must be an object"],
  [
    TaskCreate,
    { name: "a", concurrency: { on_conflict: "fight" } },
    "concurrency.on_conflict",
    'concurrency.on_conflict must be "queue" or "skip"',
  ],
  [
    TaskCreate,
    { name: "a", timeout: "soon" },
    "timeout",
    'timeout must be a number and one of ms, s, m, h, d, for example "90s"',
  ],
  [
    TaskCreate,
    { name: "a", timeout: "9999999999999999s" },
    "timeout",
    "timeout must have at most 15 digits before its point and 9 behind it",
  ],
  [TaskCreate, { name: "a", priority: 1e300 }, "priority", "priority must be at most 100"],
  [TaskCreate, { name: "a", priority: -1e300 }, "priority", "priority must be at least -100"],
  [
    TaskCreate,
    { name: "a", retry: { max_attempts: 1e300 } },
    "retry.max_attempts",
    "retry.max_attempts must be at most 1000",
  ],
  [TriggerSetCreate, { name: "a", target_task_id: id, count: 1e300 }, "count", "count must be at most 99"],
  [TriggerSetCreate, { name: "a", target_task_id: id }, "count", "count is required unless member_names is given"],
  [
    TriggerSetCreate,
    { name: "a", target_task_id: id, count: 1, member_names: ["b"] },
    "count",
    "count must not be given together with member_names",
  ],
  [
    TriggerSetCreate,
    { name: "a", target_task_id: id, member_names: [""] },
    "member_names.0",
    "member_names.0 must not be empty",
  ],
  [
    TaskCreate,
    { name: "a", environment: { "1A": "x" } },
    "environment.1A",
    "environment.1A must be letters, digits and underscores, not beginning with a digit",
  ],
  [TaskCreate, { name: "a", group_id: 7 }, "group_id", "group_id must be a string"],
  [TaskPatch, {}, null, "the body must name at least one member to change"],
  [ScheduleCreate, { task_id: id, kind: "cron" }, "expression", "expression is required"],
  [ScheduleCreate, { task_id: id, kind: "sometimes" }, "kind", "kind must be one of the kinds the documentation names"],
  [
    ScheduleCreate,
    { task_id: id, kind: "once", at: "noon" },
    "at",
    "at must be an RFC 3339 time, for example 2026-11-21T01:18:00Z",
  ],
  [PreviewRequest, {}, "draft", "draft: give either a draft or a schedule_id"],
  [ImportRequest, { tasks: [{ key: "a", name: "a" }, { key: "b" }] }, "tasks.1.name", "tasks.1.name is required"],
])("%#: the member at fault is named, and what to do about it", (schema, value, field, message) => {
  expect(refusal(schema, value)).toEqual([field, message]);
});
