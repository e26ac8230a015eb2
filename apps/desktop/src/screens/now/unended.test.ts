import type { Run } from "@belfry/client";
import { expect, test } from "vitest";
import { readUnended, type RunLister } from "./unended.ts";

type List = RunLister["runs"]["list"];

const second = 1_000;
const run = (id: string, state: Run["state"], queuedAt: number) =>
  ({ id, state, queued_at: new Date(queuedAt * second).toISOString() }) as Run;

/** A daemon with the runs that there are at the time of each answer. */
function listOf(runsNow: () => readonly Run[], onAnswer: () => void = () => {}) {
  const list = (({
    state,
    active,
    limit,
  }: {
    readonly state?: string;
    readonly active?: true;
    readonly limit: number;
  }) => {
    const found = runsNow()
      .filter((each) => (active === true ? each.state !== "queued" : each.state === state))
      .toSorted((one, other) => other.queued_at.localeCompare(one.queued_at));
    const page = found.slice(0, limit);
    onAnswer();
    return Promise.resolve({ runs: page, next_cursor: page.length < found.length ? "next" : null });
  }) as List;
  return readUnended({ runs: { list } }, new AbortController().signal);
}

const queuedRuns = (count: number, from: number) =>
  Array.from({ length: count }, (_, index) => run(`queued ${index}`, "queued", from + index));

test("the oldest runs are running, however many newer ones are queued", async () => {
  const oldest = [run("first", "running", 1), run("second", "dispatching", 2), run("third", "cancelling", 3)];
  const { active, queued } = await listOf(() => [...oldest, ...queuedRuns(60, 10)]);
  expect(active.runs.map(({ id }) => id)).toEqual(["third", "second", "first"]);
  expect([active.hasMore, queued.runs.length, queued.hasMore]).toEqual([false, 50, true]);
});

test("a few queued runs among many active ones are all of them", async () => {
  const running = Array.from({ length: 60 }, (_, index) => run(`running ${index}`, "running", index));
  const { active, queued } = await listOf(() => [...running, ...queuedRuns(3, 100)]);
  expect([active.runs.length, active.hasMore]).toEqual([50, true]);
  expect([queued.runs.length, queued.hasMore]).toEqual([3, false]);
});

test("a run that starts between the two answers is one run, in its later state", async () => {
  let isStarted = false;
  const runs = () => [run("first", isStarted ? "running" : "queued", 100), ...queuedRuns(60, 10)];
  const { active, queued } = await listOf(runs, () => (isStarted = true));
  expect(active.runs.map(({ id, state }) => [id, state])).toEqual([["first", "running"]]);
  expect(queued.runs.some(({ id }) => id === "first")).toBe(false);
});
