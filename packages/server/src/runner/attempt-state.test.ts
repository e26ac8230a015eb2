import { expect, test } from "vitest";
import type { AttemptEnd } from "./protocol/messages.ts";
import { type AttemptState, follow } from "./attempt-state.ts";
import type { Stop } from "./processes/stop-process-tree.ts";

const task = { main: { pid: 1, startTime: 1 }, mark: null, cgroup: null, at: 0, sinceMs: 0 };
const stopping = { cause: "timeout", stop: {} as Stop, remaining: Promise.resolve([]) } as const;
const nothing = { written: 0, cut: 0 };
const end: AttemptEnd = {
  cause: "exit",
  exitCode: 0,
  signal: null,
  detail: null,
  pid: 1,
  startedAt: 0,
  endedAt: 0,
  durationMs: 0,
  stdout: nothing,
  stderr: nothing,
};

const states: { readonly [S in AttemptState as S["is"]]: S } = {
  starting: { is: "starting", cancel: null },
  running: { is: "running", task },
  stopping: { is: "stopping", task, stopping },
  draining: { is: "draining", task, stopping: null },
  ending: { is: "ending", end },
  ended: { is: "ended", end, isWritten: true },
  forgotten: { is: "forgotten", end },
  left: { is: "left" },
};

/** Every allowed step. */
const steps = [
  "starting > starting",
  "starting > running",
  "starting > ending",
  "starting > left",
  "running > stopping",
  "running > draining",
  "stopping > draining",
  "draining > ending",
  "ending > ended",
  "ended > ended",
  "ended > forgotten",
];

test("each state allows these steps and no others", () => {
  const possible = Object.values(states).flatMap((from) =>
    Object.values(states)
      .filter((to) => canFollow(from, to))
      .map((to) => `${from.is} > ${to.is}`),
  );
  expect(possible.sort()).toEqual(steps.sort());
});

test("a step that is not allowed throws, and names both states", () => {
  expect(() => follow(states.ended, states.running)).toThrow("an attempt that is ended cannot be running next");
});

function canFollow(from: AttemptState, to: AttemptState): boolean {
  try {
    return follow(from, to) === to;
  } catch {
    return false;
  }
}
