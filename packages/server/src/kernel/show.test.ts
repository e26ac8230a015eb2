import { type Capability, onlyFor } from "@belfry/contract";
import { expect, test } from "vitest";
import { z } from "zod";
import { createShow, eventViewer } from "./show.ts";

const show = createShow(
  z.object({
    id: z.string(),
    secret: onlyFor({ capability: "manage" }, z.string()),
    place: onlyFor({ transport: "local" }, z.string()),
  }),
);
const whole = { id: "a", secret: "b", place: "c" };

test.each([
  ["observe", "local", ["id", "place"]],
  ["operate", "local", ["id", "place"]],
  ["manage", "local", ["id", "secret", "place"]],
  ["enroll", "local", ["id", "secret", "place"]],
  ["observe", "remote", ["id"]],
  ["operate", "remote", ["id"]],
  ["manage", "remote", ["id", "secret"]],
  ["enroll", "remote", ["id", "secret"]],
] as const)("%s, %s: the members whose audience includes the viewer", (capability, transport, names) => {
  expect(Object.keys(show({ capability: capability satisfies Capability, transport }, whole))).toEqual(names);
  expect(Object.keys(whole)).toHaveLength(3);
});

test("an event shows what every viewer sees", () => {
  expect(show(eventViewer, whole)).toEqual({ id: "a" });
});
