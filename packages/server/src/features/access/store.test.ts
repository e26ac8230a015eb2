import { actorStates } from "@belfry/contract";
import { expect, test } from "vitest";
import { plansOf } from "../../../tests/support/plans.ts";
import { type ActorStore, createActorStore, createCredentialStore, type CredentialStore } from "./store.ts";

const actorPlans = (call: (store: ActorStore) => unknown) => plansOf(createActorStore, call);
const credentialPlans = (call: (store: CredentialStore) => unknown) => plansOf(createCredentialStore, call);
const pages = [
  { limit: 9, after: null },
  { limit: 9, after: { at: 1, id: "act" } },
];

test("a used name, the next expiry and a token are found by an index", async () => {
  const plans = [
    ...(await actorPlans((store) => store.findByName("name"))),
    ...(await actorPlans((store) => store.nextExpiry(1))),
    ...(await actorPlans((store) => store.listExpired(1, 2))),
    ...(await actorPlans((store) => store.findBuiltIn())),
    ...(await credentialPlans((store) => store.findByPublicPart("part"))),
    ...(await credentialPlans((store) => store.listUnrevokedOf("act"))),
  ];
  for (const plan of plans) expect(plan).toMatch(/^SEARCH \w+ USING (COVERING )?INDEX/);
  expect(plans.join()).not.toContain("TEMP B-TREE");
});

test.for(pages)("no page of a list is sorted", async (page) => {
  for (const state of [undefined, ...actorStates]) {
    const [plan] = await actorPlans((store) => store.list({ state, now: 1 }, page));
    expect(plan).not.toContain("TEMP B-TREE");
  }
  const [plan] = await credentialPlans((store) => store.listOf("act", page));
  expect(plan).toMatch(/^SEARCH credentials USING INDEX credentials_of_actor/);
  expect(plan).not.toContain("TEMP B-TREE");
});
