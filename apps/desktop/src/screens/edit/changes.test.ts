import type { Group, Task } from "@belfry/client";
import { expect, test } from "vitest";
import { describeChanges, describeDefinition } from "./changes.ts";

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

test("a command is told with the limits of its arguments, and with their line breaks", () => {
  const stored = { ...task, command: { kind: "exec", program: "sh", arguments: ["-c", "set -e\nmake"] } } as Task;
  const words = ["-c", "set -e", "make", ""];
  expect(describeChanges({ command: { kind: "exec", program: "sh", arguments: words } }, stored)).toEqual([
    String.raw`Command: sh -c "set -e\nmake" becomes sh -c "set -e" make ""`,
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

test("a group is told by its path", () => {
  const grouped = { ...task, group_id: "grp_1", group_name: "Web" } as Task;
  const groups = [
    { id: "grp_2", name: "Backups", parent_id: "grp_3" },
    { id: "grp_3", name: "Store", parent_id: null },
  ] as Group[];
  expect(describeChanges({ group_id: "grp_2" }, grouped, groups)).toEqual(["Group: Web becomes Store / Backups"]);
  expect(describeChanges({ group_id: null }, grouped, groups)).toEqual(["Group: Web becomes nothing"]);
});

test("a task is told by the labels of its form, without values that are secret", () => {
  const stored = {
    ...task,
    name: "Backup",
    command: { kind: "exec", program: "cp", arguments: ["a", "b"] },
    group_id: null,
    environment_names: ["TOKEN", "USER"],
    has_standard_input: true,
    retry: { max_attempts: 2, delay: "10s" },
    retention: { runs: 500, age: "90d", bytes: 1 },
    output: { max_bytes: 1 },
    labels: { team: "data" },
    kill_grace: "10s",
  } as unknown as Task;
  expect(describeDefinition(stored, [])).toMatchObject({
    Name: "Backup",
    Command: "cp a b",
    Group: "nothing",
    Environment: "TOKEN, USER",
    "Standard input": "given",
    Timeout: "nothing",
    Attempts: "2",
    Labels: "team data",
  });
});
