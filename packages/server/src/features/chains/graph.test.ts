import { fc } from "@belfry/test-kit/properties";
import { expect, test } from "vitest";
import { edgesAround, levelsOf } from "./graph.ts";

const edge = (sourceTaskId: string, targetTaskId: string) => ({ sourceTaskId, targetTaskId });

test("a task's level is the length of the longest path to the task", () => {
  const diamond = [edge("a", "b"), edge("a", "c"), edge("b", "d"), edge("c", "x"), edge("x", "d")];
  expect(Object.fromEntries(levelsOf(diamond))).toEqual({ a: 0, b: 1, c: 1, x: 2, d: 3 });
  expect(levelsOf([])).toEqual(new Map());
});

test("two chains between the same tasks count once each, and every task has its level", () => {
  expect(Object.fromEntries(levelsOf([edge("a", "b"), edge("a", "b"), edge("b", "c")]))).toEqual({ a: 0, b: 1, c: 2 });
});

test("the edges around a task are those of its ancestors and descendants, without its neighbours' other chains", () => {
  const edges = [edge("a", "b"), edge("b", "c"), edge("a", "side"), edge("other", "c"), edge("x", "y")];
  expect(edgesAround(edges, "b")).toEqual([edge("a", "b"), edge("b", "c")]);
  expect(edgesAround(edges, "a")).toEqual([edge("a", "b"), edge("b", "c"), edge("a", "side")]);
  expect(edgesAround(edges, "nobody")).toEqual([]);
});

test("in any graph without cycles every source has a lower level than its targets", () => {
  const number = fc.integer({ min: 0, max: 40 });
  const edges = fc
    .array(fc.tuple(number, number), { maxLength: 100 })
    // edges lead from the smaller to the larger number only, so there is no cycle
    .map((pairs) => pairs.flatMap(([a, b]) => (a === b ? [] : [edge(`t${Math.min(a, b)}`, `t${Math.max(a, b)}`)])));
  fc.assert(
    fc.property(edges, (all) => {
      const levels = levelsOf(all);
      for (const { sourceTaskId, targetTaskId } of all)
        expect(levels.get(sourceTaskId)).toBeLessThan(levels.get(targetTaskId)!);
      const targets = new Set(all.map(({ targetTaskId }) => targetTaskId));
      for (const [id, level] of levels) expect(level === 0).toBe(!targets.has(id));
    }),
  );
});
