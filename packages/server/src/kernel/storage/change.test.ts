import { expect, test } from "vitest";
import { changedMembers as changedOf, membersOf } from "./change.ts";
import { nameKey } from "../names.ts";

const members = membersOf({
  environmentNames: "environment",
  environmentSealed: "environment",
  standardInputSealed: "standard_input",
});
const changedMembers = <R extends object>(row: R, change: Partial<R>) => changedOf(row, change, members);

test("the former value of a sealed column is erased when it changes", () => {
  expect([...members.sealed]).toEqual(["environment", "standard_input"]);
});

test("a change lists the wire name of each changed member once", () => {
  const row = {
    name: "a",
    nameKey: "a",
    timeoutMs: 1_000,
    groupId: null as string | null,
    labels: { a: "1" } as Record<string, string>,
    enabled: true,
    environmentNames: ["A"],
    environmentSealed: Buffer.from("x"),
  };
  expect(changedMembers(row, {})).toEqual([]);
  expect(
    changedMembers(row, { name: "a", timeoutMs: 1_000, labels: { a: "1" }, enabled: true, groupId: null }),
  ).toEqual([]);
  expect(changedMembers(row, { name: "b", nameKey: "b", timeoutMs: 2, groupId: "grp_1", labels: {} })).toEqual([
    "name",
    "timeout",
    "group_id",
    "labels",
  ]);
  expect(changedMembers(row, { environmentNames: ["A", "B"], environmentSealed: Buffer.from("y") })).toEqual([
    "environment",
  ]);
  expect(
    changedMembers({ standardInputSealed: null as Buffer | null }, { standardInputSealed: Buffer.from("y") }),
  ).toEqual(["standard_input"]);
});

test("names that look the same to a person are equal", () => {
  expect(nameKey("Cafe\u0301 ÅNGSTRÖM")).toBe(nameKey("CAFÉ ångström"));
  expect(nameKey("a")).not.toBe(nameKey("á"));
  expect(nameKey("STRASSE")).not.toBe(nameKey("straße"));
});
