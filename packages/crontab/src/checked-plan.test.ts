import { limits } from "@belfry/contract";
import { expect, test } from "vitest";
import { planChecked } from "./checked-plan.ts";
import { parseCrontab } from "./lines.ts";
import type { PlanOptions } from "./plan.ts";

const options: PlanOptions = {
  groupName: "crontab",
  parentId: null,
  source: "standard input",
  cronEnvironment: {},
  owner: null,
  daemonUser: { name: "web", isRoot: false },
  unknownUsers: new Set(),
  userWords: new Map(),
  runAsMe: false,
  catchUp: false,
  noOverlap: false,
};
const linesOf = (count: number) =>
  parseCrontab(Array.from({ length: count }, (_, index) => `${index % 60} 3 * * * job${index}\n`).join(""), "user");

test("each line that the daemon rejects is marked, and the others are checked again", async () => {
  const sizes: number[] = [];
  const checked = await planChecked(linesOf(4), options, async ({ tasks = [], dry_run }) => {
    expect(dry_run).toBe(true);
    sizes.push(tasks.length);
    const index = tasks.findIndex(({ name }) => name === "job1" || name === "job3");
    return index === -1 ? null : { field: `tasks.${index}.name`, message: `${tasks[index]!.name} is no name` };
  });
  expect(sizes).toEqual([4, 3, 2]);
  expect(checked).toMatchObject({ kind: "accepted", plan: { taskLines: [1, 3] } });
  expect(checked.plan.report.filter(({ outcome }) => outcome === "refused").map(({ text }) => text)).toEqual([
    "job1 is no name",
    "job3 is no name",
  ]);
});

test("a rejection that belongs to no line ends the check", async () => {
  const rejection = { field: "groups.0.name", message: "a group has this name" };
  const checked = await planChecked(linesOf(1), options, async () => rejection);
  expect(checked).toMatchObject({ kind: "rejected", rejection });
});

test("too many jobs for one import are not sent", async () => {
  const checked = await planChecked(linesOf(limits.importItemsMax + 1), options, () => {
    throw new Error("was sent");
  });
  expect(checked.kind).toBe("too_many");
});
