import type { Run } from "@belfry/client";
import { expect, test } from "vitest";
import { readUnended, type RunLister } from "./unended.ts";

type List = RunLister["runs"]["list"];

const second = 1_000;
const run = (id: string, state: Run["state"], queuedAt: number) =>
  ({ id, state, queued_at: new Date(queuedAt * second).toISOString() }) as Run;

/** A daemon with these runs, which says what it was asked for. */
function listOf(...runs: readonly Run[]) {
  const asked: (string | undefined)[] = [];
  const list = ((query: { readonly state?: string; readonly limit: number }) => {
    asked.push(query.state);
    const found = runs
      .filter(({ state }) => query.state === undefined || state === query.state)
      .toSorted((one, other) => other.queued_at.localeCompare(one.queued_at));
    const page = found.slice(0, query.limit);
    return Promise.resolve({ runs: page, next_cursor: page.length < found.length ? "next" : null });
  }) as List;
  return { asked, read: () => readUnended({ runs: { list } }, new AbortController().signal) };
}

const queuedRuns = (count: number, from: number) =>
  Array.from({ length: count }, (_, index) => run(`queued ${index}`, "queued", from + index));

test("the oldest runs are running, however many newer ones are queued", async () => {
  const oldest = [run("first", "running", 1), run("second", "dispatching", 2), run("third", "cancelling", 3)];
  const { active, queued } = await listOf(...oldest, ...queuedRuns(60, 10)).read();
  expect(active.runs.map(({ id }) => id)).toEqual(["third", "second", "first"]);
  expect([active.hasMore, queued.runs.length, queued.hasMore]).toEqual([false, 50, true]);
});

test("a few queued runs among many active ones are all of them", async () => {
  const running = Array.from({ length: 60 }, (_, index) => run(`running ${index}`, "running", index));
  const { active, queued } = await listOf(...running, ...queuedRuns(3, 100)).read();
  expect([active.runs.length, active.hasMore]).toEqual([50, true]);
  expect([queued.runs.length, queued.hasMore]).toEqual([3, false]);
});

test("the queued runs are not read again where the newest of all are queued", async () => {
  const many = listOf(run("first", "running", 1), ...queuedRuns(60, 10));
  const { active, queued } = await many.read();
  expect([active.runs.length, queued.runs.length, queued.hasMore]).toEqual([1, 50, true]);
  expect(many.asked).toEqual([undefined, "dispatching", "running", "cancelling"]);
});

test("one answer is enough where it has all runs", async () => {
  const few = listOf(run("first", "running", 1), ...queuedRuns(3, 10));
  const { active, queued } = await few.read();
  expect([active.runs.length, queued.runs.length, active.hasMore, queued.hasMore]).toEqual([1, 3, false, false]);
  expect(few.asked).toEqual([undefined]);
});

test.each([
  ["among queued runs", []],
  ["among others", [run("other", "running", 200)]],
])("a run that starts while it is looked for is one run, in its later state: %s", async (_, others) => {
  let isStarted = false;
  const rest = [...others, ...queuedRuns(60, 10)];
  const list = ((query: { readonly state?: string }) => {
    const now = run("first", isStarted ? "running" : "queued", 100);
    if (query.state === (others.length === 0 ? undefined : "queued")) isStarted = true;
    const runs = [now, ...rest].filter(({ state }) => query.state === undefined || state === query.state).slice(0, 50);
    return Promise.resolve({ runs, next_cursor: runs.length === 50 ? "next" : null });
  }) as List;
  const { active, queued } = await readUnended({ runs: { list } }, new AbortController().signal);
  expect(active.runs.map(({ id, state }) => [id, state])).toEqual(
    [...others, run("first", "running", 100)].map(({ id, state }) => [id, state]),
  );
  expect(queued.runs.some(({ id }) => id === "first")).toBe(false);
});
