import { eventKinds } from "@belfry/contract";
import { expect, test } from "vitest";
import { definitions, eventKindsOf, type Watchable } from "./watchable.ts";

test("the kinds of events of a list are its own and those of what its items show", () => {
  expect(eventKindsOf("groups")).toEqual(["group"]);
  expect(eventKindsOf("chains")).toEqual(["chain", "task"]);
  expect(eventKindsOf("tasks").toSorted()).toEqual(["group", "hold", "run", "schedule", "task"]);
  expect(eventKindsOf("triggers").toSorted()).toEqual(["group", "hold", "run", "task", "trigger", "trigger_set"]);
});

test.each(Object.keys(definitions) as Watchable[])(
  "the kinds of events of %s are kinds of the API, each once",
  (list) => {
    const kinds = eventKindsOf(list);
    expect(new Set(kinds).size).toBe(kinds.length);
    for (const kind of kinds) expect(eventKinds).toContain(kind);
  },
);
