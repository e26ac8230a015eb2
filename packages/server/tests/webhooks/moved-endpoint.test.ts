import { ManualClock } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { auditRowsOf, bytesOnDisk, query } from "../support/api.ts";
import { openTestApplication } from "../support/application.ts";
import { makeChannel, sendTest, untilDeliveryEnds } from "../support/channels.ts";
import { startReceiver } from "../support/receiver.ts";

const path = "/v1/notification-channels";
const signingSecret = `whsec_${Buffer.alloc(24, "s").toString("base64")}`;
const secrets = { authorization: "Bearer planted", signing_secret: signingSecret };

test.each([
  ["another host", "https://a.example/hook", "https://b.example/hook"],
  ["a subdomain", "https://a.example/hook", "https://x.a.example/hook"],
  ["another port", "https://a.example/hook", "https://a.example:8443/hook"],
  ["another scheme", "https://localhost/hook", "http://localhost/hook"],
])("a stored authorization does not move to %s: the same write clears it", async (_, from, to) => {
  await using app = await openTestApplication();
  const { id } = await makeChannel(app, from, secrets);
  const moved = await app.call("PATCH", `${path}/${id}`, { endpoint: to });
  expect(moved.json).toMatchObject({
    endpoint_summary: new URL(to).origin,
    has_authorization: false,
    has_signing_secret: true,
    revision: 2,
  });
  expect(auditRowsOf(app, moved)).toMatchObject([{ changed_fields_json: '["authorization","endpoint"]' }]);
  const stored = query(app, "SELECT authorization_sealed, signing_secret_sealed FROM notification_channels");
  expect(stored).toEqual([{ authorization_sealed: null, signing_secret_sealed: expect.any(Buffer) }]);
});

test("another path on the same origin keeps the authorization, however the origin is written", async () => {
  await using app = await openTestApplication();
  const { id } = await makeChannel(app, "https://a.example/hook", secrets);
  for (const endpoint of ["https://a.example/other?key=1", "https://A.Example:443/third"]) {
    const moved = await app.call("PATCH", `${path}/${id}`, { endpoint });
    expect(moved.json.has_authorization).toBe(true);
    expect(auditRowsOf(app, moved)).toMatchObject([{ changed_fields_json: '["endpoint"]' }]);
  }
});

test("a channel without an authorization that moves changes its endpoint only", async () => {
  await using app = await openTestApplication();
  const { id } = await makeChannel(app, "https://a.example/hook");
  const moved = await app.call("PATCH", `${path}/${id}`, { endpoint: "https://b.example/" });
  expect(auditRowsOf(app, moved)).toMatchObject([{ changed_fields_json: '["endpoint"]' }]);
});

test("the new host gets no authorization, and earlier deliveries go to the old host with the authorization", async () => {
  await using former = await startReceiver();
  await using later = await startReceiver();
  await using app = await openTestApplication();
  const channel = await makeChannel(app, former.url, secrets);
  const before = await sendTest(app, channel);
  await app.call("PATCH", `${path}/${channel.id}`, { endpoint: later.url });
  const after = await sendTest(app, channel);
  app.inside.deliverer.start();
  await Promise.all([before, after].map((sent) => untilDeliveryEnds(app, sent)));
  expect(former.requests.map(({ headers }) => headers.authorization)).toEqual(["Bearer planted"]);
  expect(later.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  expect(later.requests[0]!.headers["webhook-signature"]).toMatch(/^v1,/);
});

test("the cleared authorization is gone from database and log", async () => {
  const clock = new ManualClock();
  await using app = await openTestApplication({ clock });
  const { id } = await makeChannel(app, "https://a.example/hook", secrets);
  const [row] = query<{ sealed: Buffer }>(app, "SELECT authorization_sealed AS sealed FROM notification_channels");
  await app.call("PATCH", `${path}/${id}`, { endpoint: "https://b.example/" });
  await clock.advance(1_000);
  expect(bytesOnDisk(app.dataDir).includes(row!.sealed)).toBe(false);
});
