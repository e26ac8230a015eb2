import { expect, test } from "vitest";
import { capabilities, isCapabilityEnough } from "./capability.ts";

test("each capability includes the ones before it, and none after it", () => {
  const enough = capabilities.map((held) => capabilities.filter((needed) => isCapabilityEnough(held, needed)));
  expect(enough).toEqual([
    ["observe"],
    ["observe", "operate"],
    ["observe", "operate", "manage"],
    ["observe", "operate", "manage", "enroll"],
  ]);
});
