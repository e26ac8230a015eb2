import type { Hint, Run, Task, Trigger } from "@belfry/contract";
import { describe, expect, test } from "vitest";
import { mergeItems, planReads, type Selection } from "./plan-reads.ts";
import { definitions, type WatchQuery } from "./watchable.ts";

const task = (id: string, more: Partial<Task> = {}) => ({ id, created_at: "1", enabled: true, ...more }) as Task;
const run = (id: string, queued_at: string, more: Partial<Run> = {}) => ({ id, queued_at, ...more }) as Run;
const held = <T>(...items: T[]) => ({ items, hasMore: false });
const full = <T>(...items: T[]) => ({ items, hasMore: true });
const tasksOf = (query: WatchQuery<"tasks"> = {}): Selection<"tasks"> => ({ definition: definitions.tasks, query });
const runsOf = (query: WatchQuery<"runs"> = {}): Selection<"runs"> => ({ definition: definitions.runs, query });
const hint = (kind: Hint["kind"], verb: string, id: string, more: object = {}) => ({ kind, verb, id, ...more }) as Hint;
const items = (...ids: string[]) => ({ kind: "items", ids, deleted: new Set() });
const list = { kind: "list" };

describe("planReads", () => {
  test("reads each changed item once, and nothing for a deleted one", () => {
    const hints = [hint("task", "created", "a"), hint("task", "updated", "a"), hint("task", "deleted", "b")];
    expect(planReads(tasksOf(), held(task("b")), hints)).toEqual({ ...items("a"), deleted: new Set(["b"]) });
  });

  test("reads a task after an event of its run or schedule, and of no other", () => {
    const started = (task_id: string) => hint("run", "started", "r", { task_id });
    expect(planReads(tasksOf(), held(task("a"), task("b")), [started("a"), started("c")])).toEqual(items("a"));
    const planned = hint("schedule", "updated", "s", { schedule: { task_id: "b" } });
    expect(planReads(tasksOf(), held(task("a"), task("b")), [planned])).toEqual(items("b"));
  });

  test("reads the list after more than four changed items", () => {
    const hints = ["a", "b", "c", "d"].map((id) => hint("task", "updated", id));
    expect(planReads(tasksOf(), held(), hints)).toEqual(items("a", "b", "c", "d"));
    expect(planReads(tasksOf(), held(), [...hints, hint("task", "updated", "e")])).toEqual(list);
  });

  test("reads the list if only the daemon can say whether the item passes a filter", () => {
    const hints = [hint("task", "updated", "a")];
    expect(planReads(tasksOf({ q: "back" }), held(), hints)).toEqual(list);
    expect(planReads(tasksOf({ enabled: true }), held(), hints)).toEqual(items("a"));
    const schedules = { definition: definitions.schedules, query: { label: "team:a" } };
    expect(planReads(schedules, held(), hints)).toEqual(list);
    expect(planReads({ ...schedules, query: { q: "a" } }, held(), hints)).toEqual(items());
  });

  test("reads the list if nothing reads a single item", () => {
    const holds = { definition: definitions.holds, query: {} };
    expect(planReads(holds, held(), [hint("hold", "created", "h")])).toEqual(list);
    expect(planReads(holds, held(), [hint("group", "updated", "g")])).toEqual(items());
    // a single read shows another number of outcomes
    const ended = hint("run", "ended", "r", { task_id: "a" });
    expect(planReads(tasksOf({ recent: 3 }), held(task("a")), [ended])).toEqual(list);
  });

  test("reads the list of triggers after an event that may add some: their set has one event for all of them", () => {
    const triggers = { definition: definitions.triggers, query: {} };
    const member = { id: "a", set_id: "s" } as Trigger;
    for (const verb of ["created", "updated"])
      expect(planReads(triggers, held(member), [hint("trigger_set", verb, "new")])).toEqual(list);
    expect(planReads(triggers, held(member), [hint("trigger_set", "deleted", "s")])).toEqual(items("a"));
  });

  test("ignores runs of other tasks, and older runs than those that are kept", () => {
    const ended = (id: string, task_id: string) => hint("run", "ended", id, { task_id });
    const kept = full(run("b", "2"), run("a", "1"));
    expect(planReads(runsOf({ task_id: "t" }), kept, [ended("b", "t"), ended("old", "t"), ended("x", "u")])).toEqual(
      items("b"),
    );
    // an older run may now pass the filter
    expect(planReads(runsOf({ state: "failed" }), kept, [ended("old", "t")])).toEqual(items("old"));
    expect(planReads(runsOf(), kept, [hint("run", "queued", "c", { task_id: "t" })])).toEqual(items("c"));
  });

  test("reads the list when an item is deleted and an older one takes its place", () => {
    const deleted = (id: string) => [hint("run", "deleted", id, { task_id: "t" })];
    expect(planReads(runsOf(), full(run("a", "1")), deleted("a"))).toEqual(list);
    expect(planReads(runsOf(), full(run("a", "1")), deleted("old"))).toMatchObject({ kind: "items", ids: [] });
    expect(planReads(runsOf(), held(run("a", "1")), deleted("a"))).toMatchObject({ kind: "items", ids: [] });
  });
});

describe("mergeItems", () => {
  const idsOf = ({ held: { items: merged } }: { readonly held: { readonly items: readonly { id: string }[] } }) =>
    merged.map(({ id }) => id).join(" ");

  test("replaces, adds and removes items, newest first, and then by their ids", () => {
    const before = held(run("c", "3"), run("b", "2"), run("a", "1"));
    const read = [run("d", "4"), run("bb", "2"), run("aa", "0"), run("b", "2", { state: "failed" })];
    const after = mergeItems(runsOf(), before, new Map([...read.map((item) => [item.id, item] as const), ["c", null]]));
    expect(idsOf(after)).toBe("d bb b a aa");
    expect(after).toMatchObject({ isComplete: true, held: { hasMore: false } });
    expect(after.held.items[2]).toMatchObject({ id: "b", state: "failed" });
  });

  test("removes items that no longer pass the filters", () => {
    const after = mergeItems(
      tasksOf({ enabled: true }),
      held(task("a")),
      new Map([["a", task("a", { enabled: false })]]),
    );
    expect(after).toEqual({ isComplete: true, held: { items: [], hasMore: false } });
  });

  test("keeps as many items as the limit", () => {
    const after = mergeItems(runsOf({ limit: 2 }), held(run("b", "2"), run("a", "1")), new Map([["c", run("c", "3")]]));
    expect([idsOf(after), after.held.hasMore]).toEqual(["c b", true]);
  });

  test("a list with more items takes no older one, and is not complete when it gets shorter", () => {
    const before = full(run("c", "3"), run("b", "2"));
    const older = mergeItems(runsOf({ limit: 2 }), before, new Map([["a", run("a", "1")]]));
    expect([idsOf(older), older.isComplete]).toEqual(["c b", true]);
    const shorter = mergeItems(runsOf({ limit: 2 }), before, new Map([["c", null]]));
    expect([idsOf(shorter), shorter.isComplete]).toEqual(["b", false]);
  });
});
