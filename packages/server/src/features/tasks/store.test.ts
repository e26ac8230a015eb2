import { expect, test } from "vitest";
import { plansOf } from "../../../tests/support/plans.ts";
import { createTaskStore } from "./store.ts";

test("the tasks of a group, and those in no group, are found by one index and never sorted", async () => {
  const page = { limit: 5, after: { at: 1, id: "tsk" } };
  for (const filters of [{ groupId: "grp" }, { isUngrouped: true }, { isUngrouped: true, enabled: true }] as const)
    expect(await plansOf(createTaskStore, (store) => store.list(filters, page)), JSON.stringify(filters)).toEqual([
      expect.stringMatching(/^SEARCH tasks USING INDEX tasks_by_group \(group_id=\? AND [^;]+$/),
    ]);
});
