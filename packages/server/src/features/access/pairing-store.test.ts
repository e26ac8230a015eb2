import { pairingStates } from "@belfry/contract";
import { expect, test } from "vitest";
import { plansOf } from "../../../tests/support/plans.ts";
import { createPairingStore, type PairingStore } from "./pairing-store.ts";

const plans = (call: (store: PairingStore) => unknown) => plansOf(createPairingStore, call);
const pages = [
  { limit: 9, after: null },
  { limit: 9, after: { at: 1, id: "par" } },
];

test("a pairing, a reserved name and the pairings of an actor are found by an index", async () => {
  for (const call of [
    (store: PairingStore) => store.find("par"),
    (store: PairingStore) => store.findOpenByName("name", 1),
    (store: PairingStore) => store.takeTry("par", 1),
    (store: PairingStore) => store.use("par", "act", 1),
    (store: PairingStore) => store.expireOf("act", 1),
    (store: PairingStore) => store.removeExpiredUntil(1),
  ])
    expect((await plans(call)).join()).toMatch(/^SEARCH pairings USING (COVERING )?INDEX/);
});

test.for(pages)("no page of a list is sorted", async (page) => {
  for (const state of [undefined, ...pairingStates])
    expect((await plans((store) => store.list({ state, now: 1 }, page))).join()).not.toContain("TEMP B-TREE");
});
