import { readinessReasons } from "@belfry/contract";
import { expect, test } from "vitest";
import type { TaskRow } from "./table.ts";
import { readinessOf, readinessText } from "./target.ts";

/** Obstacles in the order of the contract. A task with several obstacles has the first one as its readiness. */
const obstacles = [
  "command_incomplete",
  "task_inactive",
  "task_disabled",
  "group_blocked",
  "held",
  "dispatch_unavailable",
] as const;

function readinessWith(has: ReadonlySet<string>) {
  const task = {
    command: has.has("command_incomplete") ? null : { kind: "shell", script: "true" },
    lifecycle: has.has("task_inactive") ? "archived" : "active",
    enabled: !has.has("task_disabled"),
  } as TaskRow;
  return readinessOf(task, {
    isGroupBlocked: has.has("group_blocked"),
    isHeld: has.has("held"),
    isDispatchAvailable: !has.has("dispatch_unavailable"),
  });
}

test("for every mixture of obstacles the readiness is the first in the order of the contract", () => {
  expect(readinessReasons).toEqual(["ready", "target_missing", ...obstacles]);
  for (let mixture = 0; mixture < 2 ** obstacles.length; mixture++) {
    const has = obstacles.filter((_, index) => (mixture & (1 << index)) !== 0);
    expect(readinessWith(new Set(has))).toBe(has[0] ?? "ready");
  }
});

test("a deleted task is missing, whatever other obstacles exist", () => {
  expect(readinessOf(undefined, { isGroupBlocked: true, isHeld: true, isDispatchAvailable: false })).toBe(
    "target_missing",
  );
});

test("every obstacle has a text", () => {
  const words = readinessReasons.filter((reason) => reason !== "ready").map((reason) => readinessText[reason]);
  expect(words.filter((text) => text.length < 10)).toEqual([]);
});
