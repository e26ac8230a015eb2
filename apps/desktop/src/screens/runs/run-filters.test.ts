import { expect, test } from "vitest";
import { questionOf, stateFilters } from "./run-filters.ts";

test("an address asks for a state, for all that have not ended, and for the runs of a task", () => {
  expect(questionOf({})).toEqual({});
  expect(questionOf({ state: "failed", task: "tsk_1" })).toEqual({ state: "failed", task_id: "tsk_1" });
  expect(questionOf({ state: "unended" })).toEqual({ ended: false });
});

test("a state that nobody knows is no filter", () => {
  expect(questionOf({ state: "exploded" })).toEqual({});
});

test("each filter has a word of its own", () => {
  const words = stateFilters.map(([, word]) => word);
  expect(new Set(words).size).toBe(words.length);
});
