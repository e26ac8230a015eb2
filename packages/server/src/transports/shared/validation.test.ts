import {
  ChainCreate,
  ImportRequest,
  PreviewRequest,
  ScheduleCreate,
  SchedulePatch,
  TaskCreate,
  TaskPatch,
  TriggerCreate,
  TriggerSetCreate,
} from "@belfry/contract";
import { expect, test } from "vitest";
import type { z } from "zod";
import { AppError } from "../../kernel/errors/errors.ts";
import { parseJson } from "./validation.ts";

function refusal(schema: z.ZodType, value: unknown): readonly [string | null, string] {
  try {
    parseJson(schema, value);
  } catch (error) {
    if (error instanceof AppError) return [error.field, error.message];
    throw error;
  }
  throw new Error(`taken: ${JSON.stringify(value)}`);
}

const id = "tsk_00000000000000000000";

test.each([
  [TaskCreate, {}, "name", "name is required"],
  [TaskCreate, [], null, "the body must be an object"],
  [TaskCreate, { name: "" }, "name", "name must not be empty"],
  [TaskCreate, { name: 7 }, "name", 'name must be a string such as "Nightly backup"'],
  [TaskCreate, { name: "a", priority: 101 }, "priority", "priority must be a whole number from -100 to 100"],
  [TaskCreate, { name: "a", priority: 0.5 }, "priority", "priority must be a whole number from -100 to 100"],
  [TaskCreate, { name: "a", priority: "7" }, "priority", "priority must be a whole number from -100 to 100"],
  [TaskCreate, { name: "a", priority: -1e300 }, "priority", "priority must be a whole number from -100 to 100"],
  [TaskCreate, { name: "a", retry: { backoff: 0 } }, "retry.backoff", "retry.backoff must be a number from 1 to 10"],
  [TaskCreate, { name: "a", enabled: "yes" }, "enabled", "enabled must be true or false"],
  [
    TaskCreate,
    { name: "a", success_exit_codes: [] },
    "success_exit_codes",
    "success_exit_codes must have 1 to 256 items",
  ],
  [
    TaskCreate,
    { name: "a", success_exit_codes: 0 },
    "success_exit_codes",
    "success_exit_codes must be an array such as [0, 3]",
  ],
  [
    TaskCreate,
    { name: "a", success_exit_codes: [0, "1"] },
    "success_exit_codes.1",
    "success_exit_codes.1 must be a whole number from 0 to 255",
  ],
  [TaskCreate, { name: "a", description: 7 }, "description", "description must be a string or null"],
  [
    TaskCreate,
    { name: "a", group_id: 7 },
    "group_id",
    "group_id must be an id such as grp_7Kq2mXv0Rz9tYb4LwNcD or null",
  ],
  [
    TriggerCreate,
    { name: "a", target_task_id: null },
    "target_task_id",
    "target_task_id must be an id such as tsk_4fzH1TqWb8YkV0c2LxNd",
  ],
  [TriggerCreate, { name: "a", target_task_id: "" }, "target_task_id", "target_task_id must have 1 to 200 characters"],
  [TriggerCreate, { name: "a" }, "target_task_id", "target_task_id is required"],
  [
    TaskCreate,
    { name: "a", environment: { "1A": "x" } },
    "environment.1A",
    "environment.1A must consist of letters, digits and underscores, and not start with a digit",
  ],
  [TaskCreate, { name: "a", environment: { A: 1 } }, "environment.A", "environment.A must be a string"],
  [TaskPatch, { environment: { A: 1 } }, "environment.A", "environment.A must be a string or null"],
  [TaskPatch, {}, null, "the body must contain at least one member to change"],
  [ScheduleCreate, { task_id: id, kind: "cron" }, "expression", "expression is required"],
  [ImportRequest, { tasks: [{ key: "a", name: "a" }, { key: "b" }] }, "tasks.1.name", "tasks.1.name is required"],
])("%#: the invalid member is named with its allowed values", (schema, value, field, message) => {
  expect(refusal(schema, value)).toEqual([field, message]);
});

test.each([
  [
    TaskCreate,
    { name: "a", concurrency: { on_conflict: "fight" } },
    "concurrency.on_conflict",
    "must be one of queue, skip, replace",
  ],
  [ScheduleCreate, { task_id: id, kind: "sometimes" }, "kind", "must be one of cron, interval, once, boot"],
  [ScheduleCreate, { task_id: id }, "kind", "is required and must be one of cron, interval, once, boot"],
  [
    ChainCreate,
    { source_task_id: id, target_task_id: id },
    "on_outcome",
    "is required and must be one of success, failure, any",
  ],
  [TaskCreate, { name: "a", command: { kind: "magic" } }, "command.kind", "must be one of exec, shell"],
  [TaskCreate, { name: "a", command: { script: "x" } }, "command.kind", "is required and must be one of exec, shell"],
  [TaskCreate, { name: "a", command: { kind: "shell" } }, "command.script", "is required"],
])(
  "%#: the error about a choice names every value, even if the member is missing",
  (schema, value, field, predicate) => {
    expect(refusal(schema, value)).toEqual([field, `${field} ${predicate}`]);
  },
);

test.each([
  [
    TaskCreate,
    { name: "a", command: 7 },
    "command",
    'must be an object such as {"kind": "shell", "script": "backup --all"} or null',
  ],
  [TaskCreate, { name: "a", retry: 3 }, "retry", 'must be an object such as {"max_attempts": 3, "delay": "10s"}'],
  [TaskCreate, { name: "a", labels: ["a"] }, "labels", 'must be an object such as {"team": "platform"}'],
  [TaskCreate, { name: "a", environment: "A=1" }, "environment", 'must be an object such as {"LEVEL": "full"}'],
  [ImportRequest, { groups: {} }, "groups", 'must be an array such as [{"key": "backups", "name": "Backups"}]'],
  [
    TaskCreate,
    { name: "a", timeout: "soon" },
    "timeout",
    'must be a number and a unit (ms, s, m, h or d) such as "30s"',
  ],
  [
    TaskCreate,
    { name: "a", timeout: 30 },
    "timeout",
    'must be a number and a unit (ms, s, m, h or d) such as "30s" or null',
  ],
  [
    TaskCreate,
    { name: "a", timeout: "9999999999999999s" },
    "timeout",
    "must have at most 15 digits before the point and 9 after it",
  ],
  [TaskCreate, { name: "a", kill_grace: "2h" }, "kill_grace", "must be between 0s and 1h"],
  [
    ScheduleCreate,
    { task_id: id, kind: "once", at: "noon" },
    "at",
    "must be an RFC 3339 time such as 2026-11-21T01:18:00Z",
  ],
  [ScheduleCreate, { task_id: id, kind: "once", at: 7 }, "at", "must be an RFC 3339 time such as 2026-11-21T01:18:00Z"],
])("%#: a member with a fixed format is refused with an example", (schema, value, field, predicate) => {
  expect(refusal(schema, value)).toEqual([field, `${field} ${predicate}`]);
});

test.each([
  [TaskCreate, { naem: "a" }, "naem", "did you mean name?"],
  [TaskCreate, { name: "a", Command: null }, "Command", "did you mean command?"],
  [TaskCreate, { name: "a", retry: { max_attempt: 1 } }, "retry.max_attempt", "did you mean max_attempts?"],
  [TaskCreate, { name: "a", group: "x" }, "group", "did you mean group_id?"],
  [TaskCreate, { name: "a", command: { kind: "shell", scrpt: "x" } }, "command.scrpt", "did you mean script?"],
  [ScheduleCreate, { task_id: id, kind: "cron", expresion: "@daily" }, "expresion", "did you mean expression?"],
  [TriggerSetCreate, { name: "a", target_task_id: id, cuont: 3 }, "cuont", "did you mean count?"],
  [ImportRequest, { tasks: [{ key: "a", nmae: "b" }] }, "tasks.0.nmae", "did you mean name?"],
  [
    TaskCreate,
    { name: "a", retry: { tries: 1 } },
    "retry.tries",
    "known members are max_attempts, delay, backoff, max_delay, jitter",
  ],
])(
  "%#: an unknown member is refused with the closest known member, or else with all of them",
  (schema, value, field, rest) => {
    expect(refusal(schema, value)).toEqual([field, `${field} is not a known member: ${rest}`]);
  },
);

test.each([
  [TaskPatch, { revision: 3 }, "revision"],
  [TaskCreate, { name: "a", id }, "id"],
  [TaskPatch, { name: "a", created_at: "2026-11-21T01:18:00Z" }, "created_at"],
  [SchedulePatch, { next_run_at: "2026-11-21T01:18:00Z" }, "next_run_at"],
  [SchedulePatch, { kind: "cron" }, "kind"],
  [ScheduleCreate, { task_id: id, kind: "boot", last_run_at: null }, "last_run_at"],
  [TriggerSetCreate, { name: "a", target_task_id: id, count: 1, members: [] }, "members"],
  [ImportRequest, { tasks: [{ key: "a", name: "b", readiness: "ready" }] }, "tasks.0.readiness"],
])("%#: a member that exists only in responses is refused as read-only", (schema, value, field) => {
  expect(refusal(schema, value)).toEqual([field, `${field} cannot be changed: it is read-only`]);
});

test.each([
  [PreviewRequest, {}, "draft", "is required unless schedule_id is given"],
  [
    PreviewRequest,
    { draft: { kind: "boot" }, schedule_id: id },
    "draft",
    "must not be given together with schedule_id",
  ],
  [TriggerSetCreate, { name: "a", target_task_id: id }, "count", "is required unless member_names is given"],
  [
    TriggerSetCreate,
    { name: "a", target_task_id: id, count: 1, member_names: ["b"] },
    "count",
    "must not be given together with member_names",
  ],
  [TriggerSetCreate, { name: "a", target_task_id: id, member_names: [""] }, "member_names.0", "must not be empty"],
  [TriggerSetCreate, { name: "a", target_task_id: id, count: 1e300 }, "count", "must be a whole number from 1 to 99"],
])("%#: exactly one of two alternative members must be given", (schema, value, field, predicate) => {
  expect(refusal(schema, value)).toEqual([field, `${field} ${predicate}`]);
});

test.each([
  ["", '"" is not a known member'],
  ["a b", '"a b" is not a known member'],
  ["ü1.x-y", "ü1.x-y is not a known member"],
  ["a\nb", '"a\\nb" is not a known member'],
])("a name that is not a plain word is quoted: %j", (name, start) => {
  const [field, message] = refusal(TaskCreate, { name: "a", [name]: 1 });
  expect(field).toBe(name);
  expect(message.slice(0, start.length)).toBe(start);
});
