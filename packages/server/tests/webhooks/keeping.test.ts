import { limits } from "@belfry/contract";
import { ManualClock } from "@belfry/test-kit";
import { fc } from "@belfry/test-kit/properties";
import BetterSqlite from "better-sqlite3";
import { expect, test } from "vitest";
import { bytesOnDisk, query } from "../support/api.ts";
import { openTestApplication } from "../support/application.ts";
import {
  endDelivery,
  listDeliveries,
  makeChannel,
  sendTest,
  untilDelivery,
  untilDeliveryEnds,
} from "../support/channels.ts";
import { startReceiver } from "../support/receiver.ts";

test("the newest thousand ended deliveries are kept in the order of their ends, and waiting ones are never pruned", async () => {
  const clock = new ManualClock();
  await using app = await openTestApplication({ clock });
  const channel = app.inside.channels.get((await makeChannel(app, "http://127.0.0.1:9/")).id);
  const queue = (): string => app.inside.write((unit) => app.inside.deliveries.test(unit, channel)).id;
  const waiting: string[] = [];
  const ended: string[] = [];
  const steps = fc.array(
    fc.tuple(fc.constantFrom("queue", "deliver", "fail", "clock"), fc.nat(), fc.integer({ min: -9e6, max: 9e6 })),
    {
      minLength: 400,
      maxLength: 400,
    },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (plan) => {
      for (const [what, pick, jumpMs] of plan) {
        if (what === "clock") clock.jump(jumpMs);
        else if (what === "queue" || waiting.length === 0) waiting.push(queue(), queue());
        else {
          const [id] = waiting.splice(pick % waiting.length, 1);
          endDelivery(app, id!, what === "deliver");
          ended.push(id!);
        }
      }
      const rows = query<{ id: string; ended_at: number | null }>(
        app,
        "SELECT id, ended_at FROM notification_deliveries",
      );
      const kept = rows.filter((row) => row.ended_at !== null).map(({ id }) => id);
      expect(kept.toSorted()).toEqual(ended.slice(-limits.deliveriesKept).toSorted());
      expect(
        rows
          .filter((row) => row.ended_at === null)
          .map(({ id }) => id)
          .toSorted(),
      ).toEqual(waiting.toSorted());
    }),
    { numRuns: 12 },
  );
  expect(ended.length).toBeGreaterThan(1.5 * limits.deliveriesKept);
});

test("the endpoint and secrets of a delivery are gone from database and log once it has ended", async () => {
  const clock = new ManualClock();
  await using receiver = await startReceiver();
  await using app = await openTestApplication({ clock });
  const channel = await makeChannel(app, receiver.url, { authorization: "Bearer planted" });
  const sent = await sendTest(app, channel);
  const [{ sealed }] = query<{ sealed: Buffer }>(
    app,
    "SELECT target_sealed AS sealed FROM notification_deliveries",
  ) as [{ sealed: Buffer }];
  expect(bytesOnDisk(app.dataDir).includes(sealed)).toBe(true);
  for (const plain of ["planted-path", "planted-query", "Bearer planted"])
    expect(bytesOnDisk(app.dataDir).includes(plain), plain).toBe(false);
  app.inside.deliverer.start();
  await untilDeliveryEnds(app, sent);
  // a reader in the middle of the log is not awaited, and not forgotten
  await using held = holdRead(app.sqlite.name);
  await clock.advance(1_000);
  expect(bytesOnDisk(app.dataDir).includes(sealed)).toBe(true);
  held.release();
  await clock.advance(1_000);
  expect(bytesOnDisk(app.dataDir).includes(sealed)).toBe(false);
});

test("a channel's secrets are gone from database and log once they are rotated, or it is deleted", async () => {
  const clock = new ManualClock();
  await using app = await openTestApplication({ clock });
  const columns = "endpoint_sealed, authorization_sealed";
  const channel = await makeChannel(app, "https://a.example/", { authorization: "Bearer a" });
  const sealedNow = () => query<Record<string, Buffer>>(app, `SELECT ${columns} FROM notification_channels`)[0]!;
  const first = sealedNow();
  await app.call("POST", `/v1/notification-channels/${channel.id}/rotate`, { authorization: "Bearer b" });
  await clock.advance(1_000);
  expect(bytesOnDisk(app.dataDir).includes(first["authorization_sealed"]!)).toBe(false);
  const last = sealedNow();
  await app.call("DELETE", `/v1/notification-channels/${channel.id}`);
  await clock.advance(1_000);
  for (const sealed of Object.values(last)) expect(bytesOnDisk(app.dataDir).includes(sealed)).toBe(false);
});

test("deliveries that a former daemon had claimed are sent with their count; an interrupted third attempt fails unsent", async () => {
  const clock = new ManualClock();
  await using receiver = await startReceiver();
  await using app = await openTestApplication({ clock });
  const channel = await makeChannel(app, receiver.url);
  const sent = [await sendTest(app, channel), await sendTest(app, channel), await sendTest(app, channel)];
  const claim = (id: string, times: number): void =>
    app.inside.write((unit) => {
      for (let time = 1; time <= times; time++) {
        const held = app.inside.deliveries.claim(unit, app.inside.deliveries.get(id));
        if (time < times)
          app.inside.deliveries.recordResult(unit, held, { kind: "refused", status: 503, diagnostic: "503" });
      }
    });
  sent.forEach(({ id }, index) => claim(id, index + 1));
  await clock.advance(10);
  app.inside.deliverer.start();
  const [first, second, third] = await Promise.all(sent.map((each) => untilDeliveryEnds(app, each)));
  expect(first).toMatchObject({ state: "succeeded", attempt_count: 2 });
  expect(second).toMatchObject({ state: "succeeded", attempt_count: 3 });
  expect(third).toMatchObject({ state: "failed", attempt_count: 3, last_status: 503 });
  expect(third.diagnostic).toMatch(/^the daemon stopped during the last attempt/);
  expect(new Set(receiver.requests.map(({ headers }) => headers["x-service-delivery"]))).toEqual(
    new Set([first.id, second.id]),
  );
  expect(receiver.requests).toHaveLength(2);
});

test("a pause that a former daemon began lasts until its end, even if the clock is set back", async () => {
  const clock = new ManualClock();
  await using receiver = await startReceiver();
  await using app = await openTestApplication({ clock });
  const channel = await makeChannel(app, receiver.url);
  const sent = await sendTest(app, channel);
  app.inside.write((unit) => {
    const claim = app.inside.deliveries.claim(unit, app.inside.deliveries.get(sent.id));
    app.inside.deliveries.recordResult(unit, claim, { kind: "refused", status: 503, diagnostic: "503" });
  });
  clock.jump(-3_600_000);
  app.inside.deliverer.start();
  await clock.advance(1_900);
  expect(receiver.requests).toHaveLength(0);
  await clock.advance(200);
  await untilDeliveryEnds(app, sent);
  expect(await listDeliveries(app, "state=succeeded")).toHaveLength(1);
});

test("a clock that is set forward or back while a delivery waits does not move its next attempt", async () => {
  for (const jumpMs of [3_600_000, -3_600_000]) {
    const clock = new ManualClock();
    await using receiver = await startReceiver({
      behave: (_request, response, nth) => void response.writeHead(nth === 1 ? 503 : 204).end(),
    });
    await using app = await openTestApplication({ clock, canDeliver: true });
    const sent = await sendTest(app, await makeChannel(app, receiver.url));
    await untilDelivery(app, sent, { state: "pending", attempt_count: 1 });
    clock.jump(jumpMs);
    await clock.advance(950);
    expect(receiver.requests).toHaveLength(1);
    await clock.advance(100);
    expect(await untilDeliveryEnds(app, sent)).toMatchObject({ state: "succeeded", attempt_count: 2 });
  }
});

/** A reader of another connection that has begun, and has not ended. */
function holdRead(path: string) {
  const sqlite = new BetterSqlite(path, { readonly: true });
  sqlite.exec("BEGIN");
  sqlite.prepare("SELECT count(*) FROM notification_deliveries").get();
  const release = (): void => {
    if (sqlite.inTransaction) sqlite.exec("COMMIT");
  };
  return {
    release,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      release();
      sqlite.close();
    },
  };
}
