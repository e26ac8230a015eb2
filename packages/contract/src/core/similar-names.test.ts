import { expect, test } from "vitest";
import { similarNames } from "./similar-names.ts";

const known = ["Nightly backup", "Weekly report", "Heartbeat", "web/Cleanup"];

const rows: readonly (readonly [typed: string, near: readonly string[]])[] = [
  ["Nigthly backup", ["Nightly backup"]],
  ["nightly", ["Nightly backup"]],
  ["hartbeat", ["Heartbeat"]],
  ["cleanup", ["web/Cleanup"]],
  ["WEEKLY  REPORT", ["Weekly report"]],
  ["zzz", []],
  ["", []],
];
test.each(rows)("the names similar to %j are %j", (typed, near) => {
  expect(similarNames(typed, known)).toEqual(near);
});

test.each([
  ["a", []],
  ["/", []],
  ["jo", []],
  ["job", ["jobs"]],
  ["ps", []],
])("a name that shares too little with %j is not suggested", (typed, near) => {
  expect(similarNames(typed, ["J", "K", "a1", "pa", "jx", "jobs"])).toEqual(near);
});

test("the most similar name comes first, and each name once", () => {
  expect(similarNames("job-1", ["job-22", "job-1x", "job-1x", "job-2"])).toEqual(["job-1x", "job-2", "job-22"]);
});
