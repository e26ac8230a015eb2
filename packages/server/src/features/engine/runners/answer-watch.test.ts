import { ManualClock } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { createAnswerWatch } from "./answer-watch.ts";

function openWatch() {
  const clock = new ManualClock();
  const events: string[] = [];
  const watch = createAnswerWatch({
    clock,
    onSilent: () => events.push("silent"),
    onResumed: () => events.push("resumed"),
  });
  return { clock, events, watch };
}

test("a runner that leaves an order unanswered for ten seconds is silent, until it reports something", async () => {
  const { clock, events, watch } = openWatch();
  watch.expect("att_1");
  await clock.advance(9_999);
  expect(events).toEqual([]);
  await clock.advance(1);
  expect(events).toEqual(["silent"]);
  expect(watch.isSilent()).toBe(true);
  watch.note("att_2");
  expect(events).toEqual(["silent", "resumed"]);
  await clock.advance(10_000);
  expect(events).toEqual(["silent", "resumed", "silent"]);
});

test("a runner that answers other orders, or has none to answer, is not silent", async () => {
  const { clock, events, watch } = openWatch();
  await clock.advance(60_000);
  for (const key of ["att_1", "att_2", "att_3"]) watch.expect(key);
  for (const key of ["att_1", "att_2", null]) {
    await clock.advance(9_000);
    watch.note(key);
  }
  await clock.advance(9_000);
  watch.note("att_3");
  await clock.advance(60_000);
  expect(events).toEqual([]);
});

test("an order after a pause gets the whole ten seconds", async () => {
  const { clock, events, watch } = openWatch();
  watch.expect("att_1");
  await clock.advance(400);
  watch.note("att_1");
  watch.expect("att_2");
  await clock.advance(9_500);
  expect(events).toEqual([]);
  await clock.advance(600);
  expect(events).toEqual(["silent"]);
});
