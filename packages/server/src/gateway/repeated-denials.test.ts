import { ManualClock } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { createRepeatedDenials } from "./repeated-denials.ts";

function recorder() {
  const recorded: string[] = [];
  return { recorded, of: (key: string) => () => Promise.resolve(void recorded.push(key)) };
}

test("of identical denials only the first in a minute is recorded", async () => {
  const clock = new ManualClock();
  const deny = createRepeatedDenials(clock);
  const { recorded, of } = recorder();
  for (let count = 0; count < 3; count++) await deny("a", of("a"));
  await deny("b", of("b"));
  expect(recorded).toEqual(["a", "b"]);
  await clock.advance(59_999);
  await deny("a", of("a"));
  expect(recorded).toEqual(["a", "b"]);
  await clock.advance(1);
  await deny("a", of("a"));
  expect(recorded).toEqual(["a", "b", "a"]);
});

test("a denial whose row cannot be written is not the first: the next one is recorded", async () => {
  const deny = createRepeatedDenials(new ManualClock());
  const { recorded, of } = recorder();
  const full = new Error("the disk is full");
  const fail = () => Promise.reject(full);
  // the second one arrives before the row of the first is written, and shares its fate
  const both = await Promise.allSettled([deny("a", fail), deny("a", of("a"))]);
  expect(both).toMatchObject([
    { status: "rejected", reason: full },
    { status: "rejected", reason: full },
  ]);
  await deny("a", of("a"));
  expect(recorded).toEqual(["a"]);
});

test("at most so many denials are remembered; then the oldest is recorded again", async () => {
  const deny = createRepeatedDenials(new ManualClock(), 2);
  const { recorded, of } = recorder();
  for (const key of ["a", "b", "b", "c", "b", "a"]) await deny(key, of(key));
  expect(recorded).toEqual(["a", "b", "c", "a"]);
});
