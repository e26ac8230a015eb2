import type { Group, Task } from "@belfry/client";
import { expect, test } from "vitest";
import { inOrder } from "./group-path.ts";

const group = (id: string, name: string, parent_id: string | null = null) => ({ id, name, parent_id }) as Group;
const task = (name: string, group_id: string | null = null) =>
  ({ name, group_id, group_name: null }) as unknown as Task;

test("tasks in no group come first, and those of a group before those of its subgroups", () => {
  const groups = [group("b", "Backups"), group("n", "Nightly", "b"), group("w", "Web")];
  const tasks = [
    task("Job 10", "n"),
    task("Zoo"),
    task("Deploy", "w"),
    task("Job 9", "n"),
    task("Verify", "b"),
    task("Alone"),
    task("Copy", "b"),
  ];
  expect(inOrder(tasks, groups).map(({ name }) => name)).toEqual([
    "Alone",
    "Zoo",
    "Copy",
    "Verify",
    "Job 9",
    "Job 10",
    "Deploy",
  ]);
});
