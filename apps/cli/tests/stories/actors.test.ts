import type { Actor, Credential } from "@belfry/client";
import { expect, test } from "vitest";
import { makeCredential } from "../../../../packages/server/tests/support/api.ts";
import { startBelfry } from "../belfry.ts";

test("an actor is added, shown, changed and revoked by its name", async () => {
  await using belfry = await startBelfry();
  const added = await belfry.text("actor", "add", "Board", "--capability", "observe", "--expires", "in 90d");
  expect(added).toMatch(/^Added actor "Board" \(act_\w{20}\)\n$/);
  expect(await belfry.text("actor", "list")).toMatch(
    /^NAME +CAPABILITY +STATE +EXPIRES [^\n]*LAST SEEN [^\n]*ID\nBoard +observe +active +20\d\d-[^]*\nlocal +enroll +active /,
  );
  await belfry.text("actor", "edit", "board", "--capability", "operate", "--state", "disabled", "--no-expires");
  const [actor] = (await belfry.json<{ actors: readonly Actor[] }>("actor", "list", "--state", "disabled")).actors;
  expect(actor).toMatchObject({ name: "Board", capability: "operate", expires_at: null });
  expect(await belfry.text("actor", "show", "Board")).toMatch(
    /^Actor +Board\nID +act_\w+\nKind +remote\nCapability +operate\nState +disabled\nExpires +never\n/,
  );

  const unconfirmed = await belfry.call(["actor", "revoke", "Board"]);
  expect(unconfirmed.code).toBe(2);
  expect(unconfirmed.stderr).toMatch(
    /missing --confirm: revoking an actor cannot be undone\nTo revoke it, run: belfry actor revoke "Board" --confirm/,
  );
  expect(await belfry.text("actor", "revoke", "Board", "--confirm")).toBe('Revoked actor "Board"\n');
  expect(await belfry.text("actor", "revoke", "Board", "--confirm")).toBe('Actor "Board" is already revoked\n');
  const changed = await belfry.call(["actor", "edit", "Board", "--name", "x"]);
  expect(changed.code).toBe(1);
  expect(changed.stderr).toMatch(/actor "Board" was revoked, which is final: create another actor/);

  // the name is free, and then means the new actor
  await belfry.text("actor", "add", "Board", "--capability", "manage");
  expect(await belfry.json<Actor>("actor", "show", "Board")).toMatchObject({ capability: "manage", state: "active" });
  expect((await belfry.call(["actor", "show", "Bord"])).stderr).toMatch(
    /there is no actor "Bord"\nDid you mean "Board"\?/,
  );
});

test("an error names the options that the user typed", async () => {
  await using belfry = await startBelfry();
  const past = ["--capability", "observe", "--expires", "2020-01-01T00:00:00Z"];
  expect(await belfry.call(["actor", "add", "Board", ...past])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^belfry: --expires must be in the future, and 2020-01-01T00:00:00.000Z has passed/),
  });
  expect(await belfry.call(["actor", "edit", "local", "--capability", "observe"])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^belfry: the built-in actor cannot be changed/),
  });
});

test("the credentials of an actor are listed and revoked", async () => {
  await using belfry = await startBelfry();
  const { id, actor_id } = await makeCredential(belfry.daemon);
  expect(await belfry.text("credential", "list", actor_id)).toMatch(
    /^CREDENTIAL +KIND +STATE [^]*\nlaptop +cli +active /,
  );
  expect(await belfry.text("actor", "show", actor_id)).toContain(id);
  expect(await belfry.text("credential", "revoke", id)).toBe(`Revoked credential "laptop" (${id})\n`);
  expect(await belfry.text("credential", "revoke", id)).toBe(`Credential "laptop" (${id}) is already revoked\n`);
  const listed = await belfry.json<{ credentials: readonly Credential[] }>("credential", "list", actor_id);
  expect(listed.credentials).toMatchObject([{ id, state: "revoked" }]);
  expect((await belfry.call(["credential", "revoke", "crd_00000000000000000000"])).code).toBe(3);
  expect((await belfry.call(["credential", "list", "local"])).stderr).toBe('Actor "local" has no credentials\n');
});
