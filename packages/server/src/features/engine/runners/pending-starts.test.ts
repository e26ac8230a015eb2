import { ManualClock } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { identifyRunner } from "../../../runner/identity.ts";
import { createPendingStarts } from "./pending-starts.ts";

const runner = identifyRunner("r1", process.pid);
const minuteMs = 60_000;

test("an order that a runner left unanswered is repeated at once, and then after growing pauses", async () => {
  const clock = new ManualClock();
  const starts = createPendingStarts(clock);
  expect(starts.mayRepeat("att_1")).toBe(true);
  starts.noteSent("att_1", runner, { isNew: true });
  expect(starts.mayRepeat("att_1")).toBe(true);
  for (const pauseMs of [minuteMs, 5 * minuteMs, 15 * minuteMs, 15 * minuteMs]) {
    starts.noteSent("att_1", runner, { isNew: false });
    await clock.advance(pauseMs - 1);
    expect(starts.mayRepeat("att_1")).toBe(false);
    expect(starts.mayRepeat("att_2")).toBe(true);
    await clock.advance(1);
    expect(starts.mayRepeat("att_1")).toBe(true);
  }
});

test("an answer ends the pauses", () => {
  const starts = createPendingStarts(new ManualClock());
  for (const isNew of [true, false]) starts.noteSent("att_1", runner, { isNew });
  expect(starts.mayRepeat("att_1")).toBe(false);
  starts.noteAnswered("att_1", runner.id, true);
  expect(starts.mayRepeat("att_1")).toBe(true);
});

test("a refusal answers one order: a runner that has another may still start the attempt", () => {
  const starts = createPendingStarts(new ManualClock());
  for (const isNew of [true, false]) starts.noteSent("att_1", runner, { isNew });
  starts.noteAnswered("att_1", runner.id, false);
  expect(starts.mayStart("att_1")).toBe(true);
  starts.noteAnswered("att_1", runner.id, false);
  expect(starts.mayStart("att_1")).toBe(false);
});
