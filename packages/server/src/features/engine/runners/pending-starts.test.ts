import { ManualClock } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { identifyRunner } from "../../../runner/identity.ts";
import { createPendingStarts } from "./pending-starts.ts";

const runner = identifyRunner("r1", process.pid);
const minuteMs = 60_000;

test("an order that a runner left unanswered is repeated at once, and then after growing pauses", async () => {
  const clock = new ManualClock();
  const starts = createPendingStarts(clock);
  expect(starts.findPause("att_1")).toBeNull();
  starts.noteSent("att_1", runner, { isNew: true });
  expect(starts.findPause("att_1")).toBeNull();
  let unanswered = 1;
  for (const pauseMs of [minuteMs, 5 * minuteMs, 15 * minuteMs, 15 * minuteMs]) {
    starts.noteSent("att_1", runner, { isNew: false });
    await clock.advance(pauseMs - 1);
    const paused = { attempt: "att_1", unanswered: ++unanswered, until: clock.now() + 1 };
    expect(starts.findPause("att_1")).toEqual(paused);
    expect(starts.listPaused()).toEqual([paused]);
    expect(starts.findPause("att_2")).toBeNull();
    await clock.advance(1);
    expect(starts.findPause("att_1")).toBeNull();
    expect(starts.listPaused()).toEqual([]);
  }
});

test("an answer ends the pauses", () => {
  const starts = createPendingStarts(new ManualClock());
  for (const isNew of [true, false]) starts.noteSent("att_1", runner, { isNew });
  expect(starts.findPause("att_1")).not.toBeNull();
  starts.noteAnswered("att_1", runner.id, true);
  expect(starts.findPause("att_1")).toBeNull();
});

test("a refusal answers one order: a runner that has another may still start the attempt", () => {
  const starts = createPendingStarts(new ManualClock());
  for (const isNew of [true, false]) starts.noteSent("att_1", runner, { isNew });
  starts.noteAnswered("att_1", runner.id, false);
  expect(starts.mayStart("att_1")).toBe(true);
  starts.noteAnswered("att_1", runner.id, false);
  expect(starts.mayStart("att_1")).toBe(false);
});
