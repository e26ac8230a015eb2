import { expect, test } from "vitest";
import { plansOf } from "../../../tests/support/plans.ts";
import { type ChainStore, createChainStore } from "./store.ts";

const plans = (call: (store: ChainStore) => unknown) => plansOf(createChainStore, call);
const after = { at: 1, id: "chn" };

test.for([
  ["all", {}, "chains_by_time"],
  ["the chains of a source", { sourceTaskId: "tsk" }, "chains_by_source"],
  ["the chains of a target", { targetTaskId: "tsk" }, "chains_by_target"],
] as const)("a page of %s is read in its order by an index, and never sorted", async ([, filters, index]) => {
  for (const page of [
    { limit: 9, after: null },
    { limit: 9, after },
  ]) {
    const [plan] = await plans((store) => store.list(filters, page));
    expect(plan).toContain(`chains USING INDEX ${index}`);
    expect(plan).not.toContain("TEMP B-TREE");
  }
});

test("a step up or down the graph reads only the neighbours, in their order", async () => {
  const [down] = await plans((store) => store.graphWithout("chn").targetsOf("tsk", ""));
  expect(down).toMatch(
    /^SEARCH chains USING (COVERING )?INDEX chains_down \(source_task_id=\? AND target_task_id>\?\)$/,
  );
  const [up] = await plans((store) => store.graphWithout("chn").sourcesOf("tsk", ""));
  expect(up).toMatch(/^SEARCH chains USING (COVERING )?INDEX chains_up \(target_task_id=\? AND source_task_id>\?\)$/);
});

test("the chains that start after a task's run, and those that its deletion removes, are found by its id", async () => {
  const [starting] = await plans((store) => store.listStarting("tsk", "success"));
  expect(starting).toMatch(/^SEARCH chains USING INDEX \w+ \(source_task_id=\?\)/);
  for (const plan of await plans((store) => store.listIdsOf("tsk")))
    expect(plan).toMatch(/^SEARCH chains USING (COVERING )?INDEX \w+ \((source|target)_task_id=\?\)$/);
});
