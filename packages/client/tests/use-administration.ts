import { parseInvitation } from "@belfry/contract";
import { until } from "@belfry/test-kit";
import { expect } from "vitest";
import { enableRemote, makeCredential } from "../../server/tests/support/api.ts";
import type { Harness } from "../../server/tests/support/harness.ts";
import { freePlace } from "../../server/tests/support/ports.ts";
import { startReceiver } from "../../server/tests/support/receiver.ts";
import type { Client } from "../src/index.ts";

export async function useHousekeeping(client: Client, daemon: Harness): Promise<void> {
  expect(await client.health.get()).toEqual({ status: "ok" });
  expect((await client.openapi.get()).openapi).toBe("3.1.0");
  expect((await client.runtimeInfo.get()).data_dir).toBe(daemon.dataDir);
  const { data: manifest, response } = await client.manifest.get().withResponse();
  expect(response.headers.get("etag")).toBe(`"${manifest.revision}"`);
  const renamed = await client.manifest.update({ display_name: "Attic" }, { ifMatch: manifest.revision });
  const reset = await client.manifest.reset(renamed.installation_id);
  expect(reset).toMatchObject({ display_name: "Attic", operating_mode: "local_only" });
  expect(reset.installation_id).not.toBe(manifest.installation_id);
}

export async function useNotifications(client: Client): Promise<void> {
  const { notificationChannels: channels, notificationAssignments: assignments, notificationDeliveries } = client;
  await using receiver = await startReceiver();
  const channel = await channels.create({ name: "On call", endpoint: receiver.url, authorization: "Bearer x" });
  expect(channel).toMatchObject({ endpoint_summary: receiver.origin, has_authorization: true, enabled: true });
  expect((await channels.rotate(channel.id, { authorization: null })).has_authorization).toBe(false);
  expect((await channels.update(channel.id, { name: "Day shift" })).name).toBe("Day shift");
  expect((await channels.list({ q: "day" })).notification_channels.map(({ id }) => id)).toEqual([channel.id]);
  expect((await channels.disable(channel.id)).enabled).toBe(false);
  expect((await channels.enable(channel.id)).enabled).toBe(true);
  expect((await channels.get(channel.id)).revision).toBeGreaterThan(channel.revision);

  const group = await client.groups.create({ name: "Notified" });
  const task = await client.tasks.create({ name: "Notified", group_id: group.id });
  const assignment = { channel_id: channel.id, on_success: true, on_failure: false };
  expect((await assignments.replaceOfGroup(group.id, { assignments: [assignment] })).revision).toBe(2);
  expect((await assignments.ofGroup(group.id)).assignments).toEqual([assignment]);
  expect((await assignments.effective(task.id)).source).toEqual({ scope: "group", id: group.id, name: "Notified" });
  expect((await assignments.replaceOfTask(task.id, { assignments: [] })).assignments).toEqual([]);
  expect((await assignments.ofTask(task.id)).revision).toBe(1);

  const ofChannel = await assignments.ofChannel(channel.id);
  expect(ofChannel.assignments).toEqual([
    { scope: "group", id: group.id, name: "Notified", group_path: null, on_success: true, on_failure: false },
  ]);

  const sent = await channels.test(channel.id);
  const ended = await until("the end of the test", async () => {
    const now = await notificationDeliveries.get(sent.id);
    return now.ended_at === null ? null : now;
  });
  expect([ended.state, ended.last_status]).toEqual(["succeeded", 204]);
  const again = await notificationDeliveries.redeliver(sent.id);
  expect(again.redelivery_of).toBe(sent.id);
  const failed = await notificationDeliveries.redeliverFailed({ since: sent.created_at, channel_id: channel.id });
  expect(failed).toMatchObject({ channel_id: channel.id, deliveries: [], left_out: [] });
  const listed = await notificationDeliveries.list({ channel_id: channel.id });
  expect(listed.notification_deliveries.map(({ id }) => id).toSorted()).toEqual([sent.id, again.id].toSorted());
  expect(await channels.delete(channel.id)).toBeUndefined();
}

export async function useActors(client: Client, daemon: Harness): Promise<void> {
  const actor = await client.actors.create({
    name: "Board",
    capability: "observe",
    expires_at: "2999-01-01T00:00:00Z",
  });
  expect(actor).toMatchObject({ kind: "remote", state: "active", built_in: false, last_seen_at: null });
  expect(await client.actors.get(actor.id)).toEqual(actor);
  expect(await client.actors.update(actor.id, { state: "disabled", expires_at: null })).toMatchObject({
    state: "disabled",
    expires_at: null,
  });
  expect((await client.actors.list({ state: "disabled" })).actors.map(({ id }) => id)).toEqual([actor.id]);
  expect((await client.actors.revoke(actor.id)).state).toBe("revoked");
  await expect(client.actors.update(actor.id, { name: "x" })).rejects.toMatchObject({ name: "ConflictError" });
  const { id, actor_id } = await makeCredential(daemon);
  const { credentials } = await client.credentials.list(actor_id);
  expect(credentials).toEqual([await client.credentials.get(id)]);
  expect((await client.credentials.revoke(id)).state).toBe("revoked");
}

export async function usePairings(client: Client, daemon: Harness): Promise<void> {
  const { id: actor_id } = await client.actors.create({ name: "Laptop", capability: "operate" });
  await enableRemote(daemon);
  const { pairing_id, invitation } = await client.pairings.create({ actor_id, kind: "desktop" });
  expect(parseInvitation(invitation)).toMatchObject({ pairingId: pairing_id });
  const pairing = await client.pairings.get(pairing_id);
  expect(pairing).toMatchObject({ actor_id, kind: "desktop", state: "open", tries_left: 5 });
  expect((await client.pairings.list({ state: "open" })).pairings).toEqual([pairing]);
  await client.pairings.delete(pairing_id);
  await expect(client.pairings.get(pairing_id)).rejects.toMatchObject({ name: "NotFoundError" });
  expect(await client.access.current()).toMatchObject({
    actor_name: "local",
    credential_id: null,
    capability: "enroll",
  });
}

export async function useRemote(client: Client): Promise<void> {
  const place = await freePlace();
  expect(await client.remote.get()).toMatchObject({ enabled: false, certificate: null });
  const enabled = await client.remote.enable(place);
  expect(enabled).toMatchObject({ ...place, enabled: true, listening: true, problem: null });
  const renewed = await client.remote.renew();
  expect(renewed.certificate?.root_sha256).toBe(enabled.certificate?.root_sha256);
  expect(renewed.certificate?.certificate_sha256).not.toBe(enabled.certificate?.certificate_sha256);
  expect(await client.remote.disable()).toMatchObject({ ...place, enabled: false, listening: false });
}
