import { expect, test } from "vitest";
import { plansOf } from "../../../tests/support/plans.ts";
import { createDeliveryStore, type DeliveryStore } from "./store.ts";

const plans = (call: (store: DeliveryStore) => unknown) => plansOf(createDeliveryStore, call);

test("failed deliveries are found in the order of their ends by an index of ended ones, without a scan", async () => {
  for (const filters of [{ since: 0 }, { since: 0, channelId: "nch_1" }]) {
    const [plan] = await plans((store) => store.listFailedSince(filters));
    expect(plan).toMatch(/USING INDEX notification_deliveries_ended/);
    expect(plan).not.toContain("TEMP B-TREE");
  }
  const [plan] = await plans((store) => store.isRedelivered("dlv_1"));
  expect(plan).toMatch(/USING (COVERING )?INDEX notification_deliveries_redeliveries/);
});

test("a channel's waiting deliveries are found in their order, without sorting", async () => {
  const [plan] = await plans((store) => store.listPending("nch_1", 8));
  expect(plan).toMatch(/USING INDEX notification_deliveries_pending/);
  expect(plan).not.toContain("TEMP B-TREE");
});
