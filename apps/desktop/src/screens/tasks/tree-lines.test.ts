import type { Group, Task } from "@belfry/client";
import { expect, test } from "vitest";
import { groupOf, type KnownTasks, linesOf, type TreeLine, ungrouped } from "./tree-lines.ts";

const group = (id: string, name: string, parent_id: string | null = null) => ({ id, name, parent_id }) as Group;
const tasksNamed = (...names: readonly string[]): KnownTasks => ({
  tasks: names.map((name) => ({ id: name, name }) as Task),
  hasMore: false,
});

const groups = [group("w", "Web"), group("s", "Shop", "w"), group("b", "Backups"), group("e", "Empty")];
const all: Readonly<Record<string, KnownTasks>> = {
  [ungrouped]: tasksNamed("Zoo", "Alone"),
  w: tasksNamed("Deploy 10", "Deploy 9"),
  s: tasksNamed("Check"),
  b: tasksNamed("Copy"),
  e: tasksNamed(),
};

function treeOf({
  known = all,
  folded = [],
  namesUngrouped = false,
}: {
  readonly known?: Readonly<Record<string, KnownTasks>>;
  readonly folded?: readonly string[];
  readonly namesUngrouped?: boolean;
}): readonly TreeLine[] {
  return linesOf({
    groups,
    tasksOf: (id) => known[id] ?? null,
    restOf: () => null,
    isUnfolded: (id) => !folded.includes(id),
    namesUngrouped,
  });
}

const textOf = (line: TreeLine): string => {
  const name = line.is === "task" ? line.task.name : line.is === "group" ? `[${line.group?.name ?? "none"}]` : "…";
  return `${line.level} ${name}`;
};

test("tasks in no group come first, and those of a group before its subgroups, by their names", () => {
  expect(treeOf({}).map(textOf)).toEqual([
    "1 Alone",
    "1 Zoo",
    "1 [Backups]",
    "2 Copy",
    "1 [Empty]",
    "1 [Web]",
    "2 Deploy 9",
    "2 Deploy 10",
    "2 [Shop]",
    "3 Check",
  ]);
});

test("a folded group hides its tasks and its subgroups", () => {
  expect(
    treeOf({ folded: ["w"] })
      .map(textOf)
      .slice(-2),
  ).toEqual(["1 [Empty]", "1 [Web]"]);
  expect(
    treeOf({ folded: ["s"] })
      .map(textOf)
      .at(-1),
  ).toBe("2 [Shop]");
});

test("a group says how much is in it, as far as it is known, and only one without anything is empty", () => {
  const known = { w: { ...tasksNamed("Deploy"), hasMore: true }, e: tasksNamed() };
  const found = treeOf({ known, folded: ["b"] }).flatMap((line) =>
    line.is === "group" ? [[line.group?.name, line.tasks, line.subgroups, line.isEmpty]] : [],
  );
  expect(found).toEqual([
    ["Backups", null, 0, false],
    ["Empty", { count: 0, isAll: true }, 0, true],
    ["Web", { count: 1, isAll: false }, 1, false],
    ["Shop", null, 0, false],
  ]);
});

test("where tasks are not read yet, one line stands for them, and the daemon's order is kept", () => {
  const known = { w: { ...tasksNamed("Deploy 10", "Deploy 9"), hasMore: true } };
  const lines = treeOf({ known, folded: ["b", "e"], namesUngrouped: true });
  expect(lines.map(textOf)).toEqual([
    "1 [none]",
    "2 …",
    "1 [Backups]",
    "1 [Empty]",
    "1 [Web]",
    "2 Deploy 10",
    "2 Deploy 9",
    "2 …",
    "2 [Shop]",
    "3 …",
  ]);
  expect(new Set(lines.map(groupOf))).toEqual(new Set([ungrouped, null, "w", "s"]));
});

test("a group whose parent is not known stands beside the others", () => {
  const lines = linesOf({
    groups: [group("x", "Lost", "gone")],
    tasksOf: () => tasksNamed(),
    restOf: () => null,
    isUnfolded: () => true,
    namesUngrouped: false,
  });
  expect(lines).toMatchObject([{ id: "x", level: 1, parent: null }]);
});
