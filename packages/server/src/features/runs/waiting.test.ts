import { waitRunIdsMax } from "@belfry/contract";
import { expect, test } from "vitest";
import type { TaskRow } from "../tasks/index.ts";
import type { RunRow } from "./table.ts";
import { createExplainWait } from "./waiting.ts";

const now = Date.parse("2026-03-01T01:00:00Z");
const later = now + 60_000;

interface Group {
  readonly id: string;
  readonly name: string;
  readonly max: number | null;
}

interface Case {
  readonly max?: number;
  readonly key?: string;
  readonly groups?: readonly Group[];
  readonly runsAtOnceMax?: number;
  /** The tasks of the active runs; `Own` is that of the waiting run, and the runs of `Pooled` share its key. */
  readonly active?: readonly ("Own" | "Pooled" | "Grouped" | "Elsewhere" | "Unreadable")[];
  readonly hold?: { readonly untilAt: number | null };
  readonly isAvailable?: boolean;
  readonly isRunnerTooOld?: boolean;
  readonly isUnreadable?: boolean;
}

/** What a queued run waits for beside these active runs: `run_1`, `run_2` and so on. */
function explain(run: Partial<RunRow>, given: Case = {}) {
  const { max = 1, key = null, groups = [], active = [], hold } = given;
  const live = active.map((name, i) => ({
    id: `run_${i + 1}`,
    taskId: name,
    taskName: name,
    state: "running" as const,
    attemptId: null,
  }));
  // no other column is read
  const taskOf = (id: string) => ({ id, name: id, concurrencyKey: key }) as TaskRow;
  const { explainWait } = createExplainWait({
    runs: { listLive: () => live, listLiveOfPool: () => live.filter(({ taskId }) => isInPool(taskId)) },
    tasks: {
      find: (id) => {
        if (id === "Unreadable" || given.isUnreadable === true) throw new Error("damaged");
        return taskOf(id);
      },
      poolOf: () => ({ id: "pool", max }),
      obstacleOf: () => (hold === undefined ? "ready" : "held"),
      findHoldOf: () => hold as ReturnType<Parameters<typeof createExplainWait>[0]["tasks"]["findHoldOf"]>,
      groupLimitsOf: ({ id }) => (id === "Elsewhere" ? [] : [...groups]),
    },
    runsAtOnceMax: given.runsAtOnceMax ?? 8,
    isAvailable: () => given.isAvailable ?? true,
    isRunnerTooOld: () => given.isRunnerTooOld ?? false,
  });
  const row = { taskId: "Own", state: "queued", attempt: 0, attemptsMax: 3, notBefore: 0, reasonText: null, ...run };
  return explainWait(row as RunRow, { now, viewer: { capability: "manage", transport: "local" } });

  function isInPool(taskId: string): boolean {
    return taskId === "Own" || (key !== null && taskId === "Pooled");
  }
}

const group = { id: "grp_1", name: "Backups", max: 1 };
const retry = { attempt: 1, startedAt: now, reasonText: "exited with code 7" };

test.each<[run: Partial<RunRow>, given: Case, expected: string]>([
  [{ notBefore: later }, {}, "start_time: is queued until 2026-03-01T01:01:00.000Z"],
  [
    { notBefore: later },
    { hold: { untilAt: null } },
    "start_time: is queued until 2026-03-01T01:01:00.000Z; its task is held until the hold is released",
  ],
  [{}, { hold: { untilAt: null } }, "held: is queued; its task is held until the hold is released"],
  [{}, { hold: { untilAt: later } }, "held: is queued; its task is held until 2026-03-01T01:01:00.000Z"],
  [
    {},
    { isAvailable: false, active: ["Own"] },
    "runner: is queued until the daemon's runner process responds: see belfry doctor",
  ],
  [
    {},
    { isRunnerTooOld: true },
    "runner: is queued until a newer runner process is ready: the present one cannot start this task. Restart the daemon",
  ],
  [{}, { active: ["Own"] }, "task_limit: is queued: the task's limit of 1 concurrent run is reached (run_1 is active)"],
  [
    {},
    { active: ["Own", "Own"], max: 2 },
    "task_limit: is queued: the task's limit of 2 concurrent runs is reached (run_1 and run_2 are active)",
  ],
  [
    {},
    { active: ["Pooled"], key: "db" },
    'key_limit: is queued: the limit of 1 concurrent run for the concurrency key "db" is reached (run_1 of "Pooled" is active)',
  ],
  [
    {},
    { active: ["Elsewhere", "Unreadable", "Grouped"], groups: [{ ...group, id: "grp_2", max: null }, group] },
    'group_limit: is queued: the limit of 1 concurrent run for the group "Backups" is reached (run_3 of "Grouped" is active)',
  ],
  [
    {},
    { active: ["Elsewhere", "Unreadable", "Own"], max: 2, groups: [{ ...group, max: 2 }], runsAtOnceMax: 3 },
    'daemon_limit: is queued: the daemon\'s limit of 3 concurrent runs is reached (run_1 of "Elsewhere", run_2 and run_3 are active)',
  ],
  // while the task's own limit is reached, a free slot of its group does not help
  [
    {},
    { active: ["Own"], groups: [group], runsAtOnceMax: 1 },
    "task_limit: is queued: the task's limit of 1 concurrent run is reached (run_1 is active)",
  ],
  [{}, { active: ["Elsewhere"], groups: [group] }, "dispatch: is queued and about to start"],
  [{}, { isUnreadable: true }, "task_unreadable: is queued: its task cannot be read, as the daemon's log says"],
  [
    { ...retry, notBefore: later },
    {},
    "retry_delay: exited with code 7; it is waiting for attempt 2 of 3 until 2026-03-01T01:01:00.000Z",
  ],
  [
    retry,
    { active: ["Own"] },
    "task_limit: exited with code 7; it is waiting for attempt 2 of 3: the task's limit of 1 concurrent run is reached (run_1 is active)",
  ],
  [retry, {}, "dispatch: exited with code 7; it is waiting for attempt 2 of 3"],
])("a queued run %j beside %j says what it waits for", (run, given, expected) => {
  const { reason, text } = explain(run, given);
  expect(`${reason}: ${text}`).toBe(expected);
});

test("the end of a wait is given where it is known", () => {
  const at = new Date(later).toISOString();
  expect(explain({ notBefore: later }).until).toBe(at);
  expect(explain({ ...retry, notBefore: later }).until).toBe(at);
  expect(explain({}, { hold: { untilAt: later } }).until).toBe(at);
  expect(explain({}, { hold: { untilAt: null } }).until).toBeNull();
  expect(explain({}, { active: ["Own"] }).until).toBeNull();
});

test("an answer names a limited number of runs", () => {
  const { run_ids, text } = explain({}, { max: 40, active: Array.from({ length: 40 }, () => "Own" as const) });
  expect(run_ids).toEqual(Array.from({ length: waitRunIdsMax }, (_, i) => `run_${i + 1}`));
  expect(text).toContain("(run_1, run_2, run_3 and 37 more are active)");
});
