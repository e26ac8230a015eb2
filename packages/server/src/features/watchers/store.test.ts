import { expect, test } from "vitest";
import { plansOf } from "../../../tests/support/plans.ts";
import { createWatcherStore, type WatcherStore } from "./store.ts";

const plans = (call: (store: WatcherStore) => unknown) => plansOf(createWatcherStore, call);
const pages = [
  { limit: 9, after: null },
  { limit: 9, after: { at: 1, id: "wch" } },
];

test("a used name is found by an index", async () => {
  const [plan] = await plans((store) => store.findByName("name"));
  expect(plan).toMatch(/^SEARCH filesystem_watchers USING INDEX \w+ \(name_key=\?\)$/);
});

test.for(pages)("no page of a list is sorted, and none of one target or switch passes over others", async (page) => {
  for (const filters of [{}, { targetTaskId: "tsk" }, { enabled: false }]) {
    const [plan] = await plans((store) => store.list(filters, page));
    expect(plan).not.toContain("TEMP B-TREE");
    if (Object.keys(filters).length > 0) expect(plan).toMatch(/^SEARCH filesystem_watchers USING INDEX/);
  }
});

test("all watchers are read in their order without sorting", async () => {
  const [plan] = await plans((store) => store.listAll());
  expect(plan).toBe("SCAN filesystem_watchers USING INDEX filesystem_watchers_by_time");
});
