import { until } from "@belfry/test-kit";
import { webhookBodyBytesMax } from "@belfry/webhook-schema";
import { createTestDelivery, fixtures } from "@belfry/webhook-schema/testing";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, test, vi } from "vitest";
import { Inbox } from "../inbox.ts";
import { deliver, newerSecret, receivers, secret, startReceiver, type Wrong } from "./start-receiver.ts";

const stranger = `whsec_${Buffer.alloc(32, "stranger").toString("base64")}`;
/** Twice the tolerance, at least, however long the tests before take. */
const anHour = 3_600_000;
const tooLong = (body: string): string => body + " ".repeat(webhookBodyBytesMax);

const refusals: [string, number, Wrong][] = [
  ["not signed", 401, { without: ["webhook-id", "webhook-timestamp", "webhook-signature"] }],
  ["signed with another secret", 401, { delivery: { secret: stranger } }],
  ["changed on its way", 401, { change: (body) => body.replace("success", "failure") }],
  ["parsed and printed again", 401, { change: (body) => JSON.stringify(JSON.parse(body), null, 1) }],
  ["sent again after an hour", 401, { delivery: { now: Date.now() - anHour } }],
  ["signed an hour ahead", 401, { delivery: { now: Date.now() + anHour } }],
  ["of another delivery by its header", 400, { headers: { "X-Service-Delivery": "dlv_other" } }],
  ["of another event by its header", 400, { headers: { "X-Service-Event": "test" } }],
  ["without the header of its event", 400, { without: ["X-Service-Event"] }],
  [
    "of a version to come",
    400,
    { delivery: { payload: { ...fixtures.success, schema: "service.webhook.v2" as "service.webhook.v1" } } },
  ],
  ["of another content type", 415, { headers: { "Content-Type": "text/plain" } }],
  ["longer than 64 KiB", 413, { change: tooLong }],
  ["longer than 64 KiB, by and by", 413, { change: (body) => new Blob([tooLong(body)]).stream() }],
  ["without a body", 401, { change: () => "" }],
];

describe.each(Object.keys(receivers))("the receiver on %s", (name) => {
  test("takes every fixture, and works each off once", async () => {
    await using receiver = await startReceiver(name);
    const payloads = Object.values(fixtures);
    for (const payload of payloads) {
      expect((await deliver(receiver.url, { delivery: { payload } })).status).toBe(204);
    }
    await until("all are worked off", () => receiver.handled.length === payloads.length);
    expect(receiver.handled).toEqual(payloads);
  });

  test("takes a delivery that comes by and by, without a length", async () => {
    await using receiver = await startReceiver(name);
    const change = (body: string) => new Blob([body]).stream();
    expect((await deliver(receiver.url, { change, delivery: { payload: fixtures.longNames } })).status).toBe(204);
    await until("it is worked off", () => receiver.handled.length === 1);
  });

  test.each(refusals)("refuses a delivery %s with %d, and keeps nothing of it", async (_, status, wrong) => {
    await using receiver = await startReceiver(name);
    const answer = await deliver(receiver.url, wrong);
    expect(answer.status).toBe(status);
    expect(await answer.text()).not.toMatch(/whsec_| at /);
    await settle(receiver);
    expect(receiver.handled).toEqual([fixtures.test]);
  });

  test("takes deliveries signed with the old secret, the new, and both", async () => {
    await using receiver = await startReceiver(name);
    for (const [index, each] of [secret, newerSecret, [newerSecret, secret]].entries()) {
      const delivery = { secret: each, deliveryId: `dlv_${index}` };
      expect((await deliver(receiver.url, { delivery })).status).toBe(204);
    }
    await until("all are worked off", () => receiver.handled.length === 3);
  });

  test("works a delivery off once, however often and however tightly it comes", async () => {
    await using receiver = await startReceiver(name);
    const answers = await Promise.all(Array.from({ length: 20 }, () => deliver(receiver.url)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
    await settle(receiver);
    expect((await deliver(receiver.url)).status).toBe(204);
    expect((await deliver(receiver.url, { delivery: { deliveryId: "dlv_last" } })).status).toBe(204);
    await until("the last is worked off", () => receiver.handled.at(-1)?.delivery.id === "dlv_last");
    expect(receiver.handled.map(({ delivery }) => delivery.id)).toEqual([
      fixtures.success.delivery.id,
      fixtures.test.delivery.id,
      "dlv_last",
    ]);
  });

  test("answers before the work is done, and does it after a crash", async () => {
    const begun: string[] = [];
    await using receiver = await startReceiver(name, {
      handle: (payload) => {
        begun.push(payload.delivery.id);
        return new Promise<void>(() => {});
      },
    });
    expect((await deliver(receiver.url)).status).toBe(204);
    await until("the work has begun", () => begun.length === 1);
    expect((await deliver(receiver.url, { delivery: { payload: fixtures.failure } })).status).toBe(204);
    // the process is gone in the middle of the first, and starts again
    const handled: unknown[] = [];
    using _restarted = new Inbox(receiver.path, (payload) => void handled.push(payload));
    await until("both are worked off", () => handled.length === 2);
    expect(handled).toEqual([fixtures.success, fixtures.failure]);
  });

  test("answers or cuts off a sender that goes on and on", async () => {
    await using receiver = await startReceiver(name);
    expect(await sendWithoutEnd(receiver)).toMatch(/^$|^HTTP\/1.1 (413|408) /);
    await settle(receiver);
    expect(receiver.handled).toEqual([fixtures.test]);
  });

  test("takes nothing but POST", async () => {
    await using receiver = await startReceiver(name);
    expect([404, 405]).toContain((await fetch(receiver.url)).status);
    expect([404, 405]).toContain((await deliver(receiver.url, { method: "PUT" })).status);
    await settle(receiver);
    expect(receiver.handled).toEqual([fixtures.test]);
  });

  test("refuses a request that has no body at all with 401", async () => {
    await using receiver = await startReceiver(name);
    const { head } = await requestOf(receiver);
    const socket = connect(receiver.port, "127.0.0.1");
    socket.write(`${head}Connection: close\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1.1 401 /);
  });

  test("goes on after a sender that leaves in the middle of its body", async () => {
    await using receiver = await startReceiver(name);
    const { head, body } = await requestOf(receiver);
    const socket = connect(receiver.port, "127.0.0.1");
    socket.end(`${head}Content-Length: ${body.length}\r\n\r\n${body.slice(0, 100)}`);
    expect(await text(socket)).not.toContain(" 204 ");
    await settle(receiver);
    expect(receiver.handled).toEqual([fixtures.test]);
  });
});

test("work that fails is kept, holds up nothing, and is done with the next delivery", async () => {
  using told = vi.spyOn(console, "error").mockImplementation(() => {});
  let failures = 0;
  const handled: string[] = [];
  await using receiver = await startReceiver("node:http", {
    handle: (payload) => {
      if (payload.event === "run.completed" && failures++ === 0) throw new Error("not today");
      handled.push(payload.delivery.id);
    },
  });
  await deliver(receiver.url);
  await until("it has failed", () => failures === 1);
  await deliver(receiver.url, { delivery: { payload: fixtures.test } });
  await until("both are done", () => handled.length === 2);
  expect(String(told.mock.calls[0])).toContain(`delivery ${fixtures.success.delivery.id} was not worked off`);
  expect(handled.toSorted()).toEqual([fixtures.success.delivery.id, fixtures.test.delivery.id].toSorted());
});

test("work is done one by one, each once, also while more comes in", async () => {
  const handled: string[] = [];
  const more = ["dlv_1", "dlv_2", "dlv_3", "dlv_4"];
  const underWay = { now: 0, most: 0 };
  await using receiver = await startReceiver("node:http", {
    handle: async ({ delivery }) => {
      underWay.most = Math.max(underWay.most, ++underWay.now);
      const deliveryId = more.shift();
      if (deliveryId !== undefined) await deliver(receiver.url, { delivery: { deliveryId } });
      handled.push(delivery.id);
      underWay.now -= 1;
    },
  });
  await Promise.all([deliver(receiver.url), deliver(receiver.url, { delivery: { deliveryId: "dlv_0" } })]);
  await until("all are done", () => handled.length >= 6 && underWay.now === 0);
  expect(handled.toSorted()).toEqual(
    ["dlv_0", "dlv_1", "dlv_2", "dlv_3", fixtures.success.delivery.id, "dlv_4"].toSorted(),
  );
  expect(underWay.most).toBe(1);
});

/** A signed delivery as the first lines of a connection, to be ended by what tells the body's length. */
async function requestOf({ url }: { readonly url: string }) {
  const { headers, body } = await createTestDelivery({ secret });
  const lines = Object.entries({ ...headers, Host: "a" }).map(([name, value]) => `${name}: ${value}\r\n`);
  return { head: `POST ${new URL(url).pathname} HTTP/1.1\r\n${lines.join("")}`, body };
}

/** Sends until there is an answer or no connection any more. */
async function sendWithoutEnd(receiver: { readonly url: string; readonly port: number }) {
  const { head } = await requestOf(receiver);
  const piece = Buffer.concat([Buffer.from("10000\r\n"), Buffer.alloc(0x10000, " "), Buffer.from("\r\n")]);
  const socket = connect(receiver.port, "127.0.0.1");
  const { promise: end, resolve } = Promise.withResolvers<void>();
  let answer = "";
  socket.on("data", (data) => {
    answer += data.toString();
    resolve();
  });
  socket.on("error", () => resolve()).on("close", () => resolve());
  socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n`);
  const send = (): void => {
    while (answer === "" && socket.writable && socket.write(piece));
  };
  socket.on("drain", send);
  send();
  await end;
  socket.destroy();
  return answer;
}

/** One more, good delivery, until it is worked off: all that came before it is done then, in order. */
async function settle(receiver: Awaited<ReturnType<typeof startReceiver>>): Promise<void> {
  expect((await deliver(receiver.url, { delivery: { payload: fixtures.test } })).status).toBe(204);
  await until("the last is worked off", () => receiver.handled.at(-1)?.event === "test");
}
