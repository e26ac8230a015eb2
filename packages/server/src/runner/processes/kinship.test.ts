import { expect, test } from "vitest";
import { Kinship } from "./kinship.ts";
import type { SeenProcess } from "./scanner.ts";

const mark = { runId: "run_a", attempt: "2" };
const target = { main: { pid: 100, startTime: 50 }, mark, since: 50, cgroup: null, hasExited: false, exitTicks: null };

/** By default an unrelated process: a child of init in its own session. */
function seen(pid: number, more: Partial<SeenProcess> = {}): SeenProcess {
  return { pid, startTime: 60, parent: 1, group: pid, session: pid, isZombie: false, mark: null, ...more };
}

const main = seen(100, { startTime: 50 });
const pidsOf = (found: readonly SeenProcess[]): readonly number[] => found.map(({ pid }) => pid).sort((a, b) => a - b);

test("the main process, its descendants, its session and the sessions that they lead belong to the attempt", () => {
  const found = new Kinship(target).find([
    main,
    seen(101, { parent: 100 }),
    seen(102, { parent: 101 }),
    seen(103, { session: 100 }),
    seen(104, { session: 102 }),
    seen(105, { parent: 104, session: 105 }),
    seen(106),
  ]);
  expect(pidsOf(found)).toEqual([100, 101, 102, 103, 104, 105]);
});

test("a process with the attempt's mark belongs to the attempt without any other relation; other marks do not count", () => {
  const found = new Kinship({ ...target, main: null }).find([
    seen(201, { mark }),
    seen(202, { mark: { ...mark, attempt: "1" } }),
    seen(203, { mark: { ...mark, runId: "run_b" } }),
    seen(204, { parent: 201 }),
  ]);
  expect(pidsOf(found)).toEqual([201, 204]);
});

test("a process that was found once is found again when every relation is gone", () => {
  const kinship = new Kinship(target);
  expect(pidsOf(kinship.find([main, seen(101, { parent: 100 })]))).toEqual([100, 101]);
  expect(pidsOf(kinship.find([seen(101), seen(102, { parent: 101 }), seen(103, { session: 101 })]))).toEqual([
    101, 102, 103,
  ]);
  expect(pidsOf(kinship.find([seen(101, { startTime: 61 }), seen(103)]))).toEqual([103]);
});

test("a session's number alone proves nothing without a certain process in it", () => {
  const kinship = new Kinship(target);
  expect(pidsOf(kinship.find([seen(100, { startTime: 70 }), seen(107, { session: 100 })]))).toEqual([]);
  expect(pidsOf(kinship.find([seen(107, { session: 100 }), seen(108, { session: 100, mark })]))).toEqual([107, 108]);
});

test("a zombie does not belong to the attempt, but identifies its session while it keeps its pid", () => {
  const found = new Kinship(target).find([
    { ...main, isZombie: true },
    seen(101, { session: 100 }),
    seen(102, { session: 100, isZombie: true }),
  ]);
  expect(pidsOf(found)).toEqual([101]);
});

test("neither a process older than the attempt nor the scanning process belongs to the attempt", () => {
  const found = new Kinship(target).find([
    main,
    seen(101, { parent: 100, startTime: 49 }),
    seen(process.pid, { mark }),
  ]);
  expect(pidsOf(found)).toEqual([100]);
});

test("a process that joined the session before the main process exited belongs to the attempt without any other relation", () => {
  const kinship = new Kinship({ ...target, hasExited: true, exitTicks: 65 });
  expect(pidsOf(kinship.find([seen(103, { session: 100, startTime: 65 })]))).toEqual([103]);
  const reused = new Kinship({ ...target, hasExited: true, exitTicks: 65 });
  expect(pidsOf(reused.find([seen(100, { startTime: 66 }), seen(104, { session: 100, startTime: 66 })]))).toEqual([]);
});
