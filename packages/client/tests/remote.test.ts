import { afterAll, beforeAll, expect, test } from "vitest";
import { createCa } from "../../server/tests/support/certificates.ts";
import { enrollRemote } from "../src/remote.ts";
import {
  accessToken,
  connectTo,
  daemonId,
  daemonLeaf,
  fakeRemote,
  invitationTo,
  phrase,
  profileOf,
} from "./fake-remote-daemon.ts";

let ca: Awaited<ReturnType<typeof createCa>>;
beforeAll(async () => {
  ca = await createCa();
});
afterAll(() => ca[Symbol.asyncDispose]());

test("a call checks the identity without the token, then the grant, and then is sent", async () => {
  await using daemon = await fakeRemote(daemonLeaf(ca));
  await using client = connectTo(profileOf(ca.ca, daemon.address));
  expect(await client.tasks.get("tsk_1")).toMatchObject({ id: "tsk_1" });
  await client.tasks.get("tsk_2");
  const bearer = `Bearer ${accessToken}`;
  expect(
    daemon.seen.map(({ method, path, headers, connection }) => [method, path, headers.authorization, connection]),
  ).toEqual([
    ["GET", "/manifest", undefined, 1],
    ["GET", "/access/current", bearer, 1],
    ["GET", "/tasks/tsk_1", bearer, 1],
    ["GET", "/tasks/tsk_2", bearer, 1],
  ]);
});

test("enrolment", async () => {
  await using daemon = await fakeRemote(daemonLeaf(ca));
  const profile = await enrollRemote({ invitation: invitationTo(ca.ca, daemon.address), phrase });
  expect(profile).toMatchObject({ accessToken, daemonId, capability: "operate" });
  await using client = connectTo(profile);
  await client.tasks.get("tsk_1");
});
