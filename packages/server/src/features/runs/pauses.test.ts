import { ManualClock } from "@belfry/test-kit";
import { expect, test } from "vitest";
import type { Unit } from "../../kernel/storage/write.ts";
import { createPauses, type PausesDeps } from "./pauses.ts";

const hour = 3_600_000;

/** A run in the delay of a chain, and the time that is left of it. */
function newPause(clock: ManualClock, lengthMs: number) {
  const run = { id: "run_1", attempt: 0, queuedAt: clock.now(), notBefore: clock.now() + lengthMs };
  const store = {
    listPausing: (at: number) => (run.notBefore > at ? [{ ...run }] : []),
    update: (_id: string, change: Partial<typeof run>) => void Object.assign(run, change),
  };
  // safe because a chain's delay needs no more of a run
  const pauses = createPauses({ clock, store, tasks: { find: () => undefined } } as unknown as PausesDeps);
  return { run, pauses, leftMs: () => run.notBefore - clock.now() };
}

function newUnit(clock: ManualClock) {
  const undos: (() => void)[] = [];
  const unit: Unit = { now: clock.now(), record: () => {}, onUndo: (undo) => void undos.push(undo) };
  return { unit, undo: () => undos.toReversed().forEach((each) => each()) };
}

test.each([2 * hour, -2 * hour])(
  "a pause keeps its length if the clock is set by %d ms while the daemon starts",
  (byMs) => {
    const clock = new ManualClock();
    const { pauses, leftMs } = newPause(clock, 24 * hour);
    clock.jump(byMs);
    pauses.followClock(newUnit(clock).unit);
    expect(leftMs()).toBe(24 * hour);
    pauses.followClock(newUnit(clock).unit);
    expect(leftMs()).toBe(24 * hour);
  },
);

test("a change of the clock is followed again after the write that followed it was undone", () => {
  const clock = new ManualClock();
  const { run, pauses, leftMs } = newPause(clock, 24 * hour);
  pauses.followClock(newUnit(clock).unit);
  const { notBefore } = run;
  clock.jump(hour);
  const lost = newUnit(clock);
  pauses.followClock(lost.unit);
  expect(leftMs()).toBe(24 * hour);
  run.notBefore = notBefore;
  lost.undo();
  pauses.followClock(newUnit(clock).unit);
  expect(leftMs()).toBe(24 * hour);
});
