import type { FilesystemWatcher, Group, Run, Task } from "@belfry/client";
import { expect, test } from "vitest";
import { groupDetails } from "./group.ts";
import { runDetails } from "./run.ts";
import { taskDetails } from "./task.ts";
import { watchedText } from "./watcher.ts";

const at = "2026-03-01T01:00:00.000Z";
const definition = { id: "x", name: "Nightly", description: null, enabled: true, updated_at: at };
const task = {
  ...definition,
  lifecycle: "active",
  group_name: null,
  has_standard_input: false,
  timeout: null,
  retry: { max_attempts: 1 },
  leftovers: "leave",
  on_lost: "fail",
  concurrency: { limit: 1, key: null, on_conflict: "queue" },
  priority: 0,
  success_exit_codes: [0],
  expect_success_within: null,
  overdue: false,
  last_success_at: null,
  last_run: null,
  recent_outcomes: [],
  usual_duration_ms: null,
  next_run_at: null,
  retention: { runs: 1, age: "1d", bytes: 1_024 },
  labels: {},
  readiness: "ready",
} as unknown as Task;
const run = {
  id: "run_1",
  task_name: "Nightly",
  group_name: null,
  state: "running",
  reason_text: null,
  scheduled_for: at,
  queued_at: at,
  started_at: at,
  ended_at: null,
  duration_ms: null,
  attempts_max: 1,
  exit_code: null,
  coalesced: 0,
  output: { stdout_bytes: 0, stderr_bytes: 0, stdout_cut: 0, stderr_cut: 0 },
} as unknown as Run;

const only = "visible only with the capability manage";

test("members that the caller may not see are shown as such, and not as unset", () => {
  expect(taskDetails({ task, schedules: [], notified: null }, 0)).toEqual(
    expect.arrayContaining([
      ["Command", only],
      ["Runs as", only],
      ["Working directory", only],
      ["Environment", only],
    ]),
  );
  const group = { ...definition, max_concurrent_runs: null, time_zone: null } as unknown as Group;
  expect(groupDetails(group)).toContainEqual(["Environment", only]);
  expect(watchedText({ recursive: false } as FilesystemWatcher)).toBe("-");
});

test("unset members are still shown as unset", () => {
  const bare: Task = { ...task, command: null, run_as: null, working_directory: null, environment_names: [] };
  const names = ["Command", "Runs as", "Working directory", "Environment"];
  expect(
    taskDetails({ task: bare, schedules: [], notified: null }, 0).filter(([name]) => names.includes(name)),
  ).toEqual([
    ["Command", null],
    ["Runs as", null],
    ["Working directory", null],
    ["Environment", null],
  ]);
});

test("a run names its process if the caller may see it", () => {
  expect(runDetails(run)).toContainEqual(["Process", null]);
  expect(runDetails({ ...run, pid: null, host: "db1" })).toContainEqual(["Process", null]);
  expect(runDetails({ ...run, pid: 1_234, host: "db1" })).toContainEqual(["Process", "1234 on db1"]);
});
