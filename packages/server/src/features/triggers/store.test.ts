import { expect, test } from "vitest";
import { plansOf } from "../../../tests/support/plans.ts";
import { createTriggerSetStore } from "../trigger-sets/store.ts";
import { createTriggerStore, type TriggerStore } from "./store.ts";

const plans = (call: (store: TriggerStore) => unknown) => plansOf(createTriggerStore, call);
const pages = [
  { limit: 9, after: null },
  { limit: 9, after: { at: 1, id: "trg" } },
];

test("a fire finds its trigger by one index", async () => {
  expect(await plans((store) => store.findByHash(Buffer.alloc(32)))).toEqual([
    expect.stringMatching(/^SEARCH triggers USING INDEX \w+ \(key_hash=\?\)$/),
  ]);
});

test("a set's members are found by their set, in their positions", async () => {
  expect(await plans((store) => store.listOfSet("set"))).toEqual([
    expect.stringMatching(/^SEARCH triggers USING INDEX \w+ \(set_id=\?\)$/),
  ]);
});

test("a used name is found by an index, for a trigger and for a trigger set", async () => {
  const [trigger] = await plans((store) => store.findByName("name"));
  const [set] = await plansOf(createTriggerSetStore, (store) => store.findByName("name"));
  for (const plan of [trigger, set]) expect(plan).toMatch(/^SEARCH \w+ USING (COVERING )?INDEX \w+ \(name_key=\?\)$/);
});

test.for(pages)(
  "no page of a list needs sorting, and a filter by target or switch reads only its own rows",
  async (page) => {
    for (const filters of [{}, { targetTaskId: "tsk" }, { enabled: false }]) {
      const [plan] = await plans((store) => store.list(filters, page));
      expect(plan).not.toContain("TEMP B-TREE");
      if (Object.keys(filters).length > 0) expect(plan).toMatch(/^SEARCH triggers USING INDEX/);
    }
    for (const filters of [{}, { targetTaskId: "tsk" }]) {
      const [plan] = await plansOf(createTriggerSetStore, (store) => store.list(filters, page));
      expect(plan).not.toContain("TEMP B-TREE");
      if (Object.keys(filters).length > 0) expect(plan).toMatch(/^SEARCH trigger_sets USING INDEX/);
    }
  },
);
