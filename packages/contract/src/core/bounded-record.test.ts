import { expect, test } from "vitest";
import { z } from "zod";
import { GroupCreate, GroupPatch } from "../modules/groups/schemas.ts";
import { TaskCreate, TaskPatch } from "../modules/tasks/schemas.ts";
import { boundedRecord } from "./bounded-record.ts";

const entries = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, number) => [`K${number}`, value]));

test("a record with too many entries is refused before any entry is checked", () => {
  let parsed = 0;
  const value = z.string().refine(() => ++parsed > 0);
  const schema = boundedRecord(z.record(z.string(), value), { max: 3, noun: "name" });
  expect(schema.safeParse(entries(4, "x")).error?.issues).toMatchObject([
    { path: [], message: "must have at most 3 names" },
  ]);
  expect(parsed).toBe(0);
  expect(schema.parse(entries(3, "x"))).toEqual(entries(3, "x"));
  expect(parsed).toBe(3);
});

test("a value that is not a record is an invalid type", () => {
  const schema = boundedRecord(z.record(z.string(), z.string()), { max: 3, noun: "name" });
  for (const value of [null, 1, "four", ["a", "b", "c", "d"].join(), undefined])
    expect(schema.safeParse(value).error?.issues).toMatchObject([{ code: "invalid_type", expected: "record" }]);
});

test("a huge body of invalid entries gives one issue, about their number", () => {
  // a check of the entries would report an issue for each
  const huge = entries(80_000, 1);
  const issuesOf = (schema: z.ZodType, body: object) => schema.safeParse(body).error?.issues.map(({ path }) => path);
  for (const schema of [TaskCreate, GroupCreate])
    expect(issuesOf(schema, { name: "huge", environment: huge })).toEqual([["environment"]]);
  for (const schema of [TaskPatch, GroupPatch])
    expect(issuesOf(schema, { environment: huge })).toEqual([["environment"]]);
  expect(issuesOf(TaskCreate, { name: "huge", labels: huge })).toEqual([["labels"]]);
  expect(issuesOf(TaskPatch, { labels: huge })).toEqual([["labels"]]);
});
