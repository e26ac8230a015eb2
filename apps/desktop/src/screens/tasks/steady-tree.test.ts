import type { Task } from "@belfry/client";
import { expect, test } from "vitest";
import { keepPlaces } from "./steady-tree.ts";
import type { TreeLine } from "./tree-lines.ts";

const task = (id: string, parent: string | null = "g"): TreeLine => ({
  is: "task",
  id,
  parent,
  level: 2,
  task: { id, name: id } as Task,
});
const rest = (parent: string): TreeLine => ({ is: "rest", id: `rest of ${parent}`, parent, level: 2, rest: null });
const group = (id: string, isUnfolded = true): TreeLine => ({
  is: "group",
  id,
  group: null,
  parent: null,
  level: 1,
  isUnfolded,
  isEmpty: false,
  tasks: null,
  subgroups: 0,
});

function keep(shown: readonly TreeLine[], next: readonly TreeLine[], held: number): readonly [string, number] {
  const { lines, waiting } = keepPlaces(next, shown, held);
  return [lines.map(({ id, isGone }) => (isGone === true ? `(${id})` : id)).join(" "), waiting];
}

const shown = [group("g"), task("b"), task("d"), group("h"), task("x", "h")];

test("a new line before what somebody points at waits, and one after it comes at once", () => {
  const next = [group("g"), task("a"), task("b"), task("c"), task("d"), task("e"), group("h"), task("x", "h")];
  expect(keep(shown, next, 2)).toEqual(["g b c d e h x", 1]);
  expect(keep(shown, next, 5)).toEqual(["g b d h x", 3]);
  expect(keep(shown, next, 1)).toEqual(["g a b c d e h x", 0]);
});

test("what is gone keeps its place until the list is let go", () => {
  const next = [group("g"), task("d"), group("h"), task("x", "h")];
  expect(keep(shown, next, 3)).toEqual(["g (b) d h x", 0]);
  expect(keep(shown, next, 1)).toEqual(["g d h x", 0]);
  // also if somebody points at it
  expect(keep(shown, [group("g"), group("h"), task("x", "h")], 3)).toEqual(["g (b) (d) h x", 0]);
});

test("a folded group takes its lines away, and an unfolded one brings them", () => {
  const folded = [group("g", false), group("h"), task("x", "h")];
  expect(keep(shown, folded, 4)).toEqual(["g h x", 0]);
  expect(keep(folded, shown, 1)).toEqual(["g b d h x", 0]);
});

test("more of a group comes where its rest stood, also before what somebody points at", () => {
  const before = [group("g"), task("b"), rest("g"), group("h"), task("x", "h")];
  const after = [group("g"), task("b"), task("a"), task("c"), rest("g"), group("h"), task("x", "h")];
  expect(keep(before, after, 4)).toEqual(["g b a c rest of g h x", 0]);
  const read = [group("g"), task("b"), task("a"), group("h"), task("x", "h")];
  expect(keep(before, read, 5)).toEqual(["g b a h x", 0]);
});

test("a line with another name stays where it is, and none is lost", () => {
  const next = [group("g"), task("d"), task("b"), group("h"), task("x", "h")];
  expect(keep(shown, next, 3)).toEqual(["g b d h x", 0]);
  expect(keep(shown, next, 2)).toEqual(["g b d h x", 0]);
});
