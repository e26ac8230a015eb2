import { expect, test } from "vitest";
import { createWrittenValues } from "./written-values.ts";

test("what a field wrote is its own, also if the address gets it after something later was typed", () => {
  const values = createWrittenValues("");
  values.write("te");
  values.write("team");
  expect(values.arrive("te")).toBe(false);
  expect(values.latest()).toBe("team");
  expect(values.arrive("team")).toBe(false);
});

test("the address may skip what was written", () => {
  const values = createWrittenValues("");
  for (const value of ["t", "te", "tea"]) values.write(value);
  expect(values.arrive("tea")).toBe(false);
  // back in the history
  expect(values.arrive("te")).toBe(true);
  expect(values.latest()).toBe("te");
});

test("what a link wrote is foreign, and what was typed before it no longer counts", () => {
  const values = createWrittenValues("storage");
  expect(values.arrive("storage")).toBe(false);
  values.write("storage2");
  expect(values.arrive("web")).toBe(true);
  expect(values.latest()).toBe("web");
  expect(values.arrive("web")).toBe(false);
  expect(values.arrive("storage2")).toBe(true);
});
