import type { Task } from "@belfry/client";
import { expect, test } from "vitest";
import { describeChanges } from "./changes.ts";

const task = {
  timeout: null,
  success_exit_codes: [0],
  concurrency: { limit: 1, key: null, on_conflict: "queue" },
} as unknown as Task;

test("a change is told by the names that the form has, and only what differs", () => {
  expect(
    describeChanges(
      {
        timeout: "1h",
        success_exit_codes: [0, 3],
        concurrency: { limit: 2, key: null, on_conflict: "queue" },
        labels: { team: "data", old: null },
      },
      task,
    ),
  ).toEqual([
    "Timeout: nothing becomes 1h",
    "Exit codes of success: 0 becomes 0, 3",
    "Runs at once: 1 becomes 2",
    "Labels: team becomes data",
    "Labels: old is removed",
  ]);
});

test("values that are secret are not told", () => {
  const lines = describeChanges({ environment: { TOKEN: "secret", OLD: null }, standard_input: "secret" }, task);
  expect(lines).toEqual([
    "Environment: TOKEN gets a new value",
    "Environment: OLD is removed",
    "Standard input is replaced",
  ]);
});

test("a group is told by its name", () => {
  const grouped = { ...task, group_id: "grp_1", group_name: "Web" } as Task;
  const groups = [{ id: "grp_2", name: "Backups" }];
  expect(describeChanges({ group_id: "grp_2" }, grouped, groups)).toEqual(["Group: Web becomes Backups"]);
  expect(describeChanges({ group_id: null }, grouped, groups)).toEqual(["Group: Web becomes nothing"]);
});
