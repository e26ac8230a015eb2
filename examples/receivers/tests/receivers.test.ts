import { until } from "@belfry/test-kit";
import { webhookBodyBytesMax } from "@belfry/webhook-schema";
import { createTestDelivery, fixtures } from "@belfry/webhook-schema/testing";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, test, vi } from "vitest";
import { Inbox } from "../inbox.ts";
import { deliver, newerSecret, receivers, secret, startReceiver, type Wrong } from "./start-receiver.ts";

const stranger = `whsec_${Buffer.alloc(32, "stranger").toString("base64")}`;
/** Far more than the tolerance of a signature's time, however long the earlier tests take. */
const anHour = 3_600_000;
const tooLong = (body: string): string => body + " ".repeat(webhookBodyBytesMax);

const invalidRequests: [string, number, Wrong][] = [
  ["not signed", 401, { without: ["webhook-id", "webhook-timestamp", "webhook-signature"] }],
  ["signed with another secret", 401, { delivery: { secret: stranger } }],
  ["changed in transit", 401, { change: (body) => body.replace("success", "failure") }],
  ["parsed and printed again", 401, { change: (body) => JSON.stringify(JSON.parse(body), null, 1) }],
  ["replayed after an hour", 401, { delivery: { now: Date.now() - anHour } }],
  ["signed an hour ahead", 401, { delivery: { now: Date.now() + anHour } }],
  ["with a header of another delivery", 400, { headers: { "X-Service-Delivery": "dlv_other" } }],
  ["with a header of another event", 400, { headers: { "X-Service-Event": "test" } }],
  ["without the event header", 400, { without: ["X-Service-Event"] }],
  [
    "of a future version",
    400,
    { delivery: { payload: { ...fixtures.success, schema: "service.webhook.v2" as "service.webhook.v1" } } },
  ],
  ["with another content type", 415, { headers: { "Content-Type": "text/plain" } }],
  ["longer than 64 KiB", 413, { change: tooLong }],
  ["longer than 64 KiB, in chunks", 413, { change: (body) => new Blob([tooLong(body)]).stream() }],
  ["without a body", 401, { change: () => "" }],
];

describe.each(Object.keys(receivers))("the receiver on %s", (name) => {
  test("accepts every fixture, and processes each once", async () => {
    await using receiver = await startReceiver(name);
    const payloads = Object.values(fixtures);
    for (const payload of payloads) {
      expect((await deliver(receiver.url, { delivery: { payload } })).status).toBe(204);
    }
    await until("all are processed", () => receiver.handled.length === payloads.length);
    expect(receiver.handled).toEqual(payloads);
  });

  test("accepts a chunked delivery without a length", async () => {
    await using receiver = await startReceiver(name);
    const change = (body: string) => new Blob([body]).stream();
    expect((await deliver(receiver.url, { change, delivery: { payload: fixtures.longNames } })).status).toBe(204);
    await until("it is processed", () => receiver.handled.length === 1);
  });

  test.each(invalidRequests)("rejects a delivery %s with %d, and stores nothing of it", async (_, status, wrong) => {
    await using receiver = await startReceiver(name);
    const answer = await deliver(receiver.url, wrong);
    expect(answer.status).toBe(status);
    expect(await answer.text()).not.toMatch(/whsec_| at /);
    await processAll(receiver);
    expect(receiver.handled).toEqual([fixtures.test]);
  });

  test("accepts deliveries signed with the old secret, the new one, and both", async () => {
    await using receiver = await startReceiver(name);
    for (const [index, each] of [secret, newerSecret, [newerSecret, secret]].entries()) {
      const delivery = { secret: each, deliveryId: `dlv_${index}` };
      expect((await deliver(receiver.url, { delivery })).status).toBe(204);
    }
    await until("all are processed", () => receiver.handled.length === 3);
  });

  test("processes a delivery once, however often and concurrently it arrives", async () => {
    await using receiver = await startReceiver(name);
    const answers = await Promise.all(Array.from({ length: 20 }, () => deliver(receiver.url)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
    await processAll(receiver);
    expect((await deliver(receiver.url)).status).toBe(204);
    expect((await deliver(receiver.url, { delivery: { deliveryId: "dlv_last" } })).status).toBe(204);
    await until("the last is processed", () => receiver.handled.at(-1)?.delivery.id === "dlv_last");
    expect(receiver.handled.map(({ delivery }) => delivery.id)).toEqual([
      fixtures.success.delivery.id,
      fixtures.test.delivery.id,
      "dlv_last",
    ]);
  });

  test("answers before processing, and processes after a crash", async () => {
    const begun: string[] = [];
    await using receiver = await startReceiver(name, {
      handle: (payload) => {
        begun.push(payload.delivery.id);
        return new Promise<void>(() => {});
      },
    });
    expect((await deliver(receiver.url)).status).toBe(204);
    await until("processing has started", () => begun.length === 1);
    expect((await deliver(receiver.url, { delivery: { payload: fixtures.failure } })).status).toBe(204);
    // the process crashes during the first delivery, and restarts
    const handled: unknown[] = [];
    using _restarted = new Inbox(receiver.path, (payload) => void handled.push(payload));
    await until("both are processed", () => handled.length === 2);
    expect(handled).toEqual([fixtures.success, fixtures.failure]);
  });

  test("answers or disconnects an endless sender", async () => {
    await using receiver = await startReceiver(name);
    expect(await sendWithoutEnd(receiver)).toMatch(/^$|^HTTP\/1.1 (413|408) /);
    await processAll(receiver);
    expect(receiver.handled).toEqual([fixtures.test]);
  });

  test("accepts only POST", async () => {
    await using receiver = await startReceiver(name);
    expect([404, 405]).toContain((await fetch(receiver.url)).status);
    expect([404, 405]).toContain((await deliver(receiver.url, { method: "PUT" })).status);
    await processAll(receiver);
    expect(receiver.handled).toEqual([fixtures.test]);
  });

  test("rejects a request without a body with 401", async () => {
    await using receiver = await startReceiver(name);
    const { head } = await requestOf(receiver);
    const socket = connect(receiver.port, "127.0.0.1");
    socket.write(`${head}Connection: close\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1.1 401 /);
  });

  test("keeps working after a sender disconnects during its body", async () => {
    await using receiver = await startReceiver(name);
    const { head, body } = await requestOf(receiver);
    const socket = connect(receiver.port, "127.0.0.1");
    socket.end(`${head}Content-Length: ${body.length}\r\n\r\n${body.slice(0, 100)}`);
    expect(await text(socket)).not.toContain(" 204 ");
    await processAll(receiver);
    expect(receiver.handled).toEqual([fixtures.test]);
  });
});

test("a failed delivery is kept, blocks nothing, and is processed again after the next one", async () => {
  using errors = vi.spyOn(console, "error").mockImplementation(() => {});
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
  expect(String(errors.mock.calls[0])).toContain(`delivery ${fixtures.success.delivery.id} failed`);
  expect(handled.toSorted()).toEqual([fixtures.success.delivery.id, fixtures.test.delivery.id].toSorted());
});

test("deliveries are processed one at a time, each once, while more arrive", async () => {
  const handled: string[] = [];
  const more = ["dlv_1", "dlv_2", "dlv_3", "dlv_4"];
  const active = { now: 0, most: 0 };
  await using receiver = await startReceiver("node:http", {
    handle: async ({ delivery }) => {
      active.most = Math.max(active.most, ++active.now);
      const deliveryId = more.shift();
      if (deliveryId !== undefined) await deliver(receiver.url, { delivery: { deliveryId } });
      handled.push(delivery.id);
      active.now -= 1;
    },
  });
  await Promise.all([deliver(receiver.url), deliver(receiver.url, { delivery: { deliveryId: "dlv_0" } })]);
  await until("all are done", () => handled.length >= 6 && active.now === 0);
  expect(handled.toSorted()).toEqual(
    ["dlv_0", "dlv_1", "dlv_2", "dlv_3", fixtures.success.delivery.id, "dlv_4"].toSorted(),
  );
  expect(active.most).toBe(1);
});

/** The head of a signed request without its length headers and its end, and the body. */
async function requestOf({ url }: { readonly url: string }) {
  const { headers, body } = await createTestDelivery({ secret });
  const lines = Object.entries({ ...headers, Host: "a" }).map(([name, value]) => `${name}: ${value}\r\n`);
  return { head: `POST ${new URL(url).pathname} HTTP/1.1\r\n${lines.join("")}`, body };
}

/** Sends until an answer arrives or the connection closes. */
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

/** Sends one more valid delivery and waits until it is processed. Then all earlier ones are processed too. */
async function processAll(receiver: Awaited<ReturnType<typeof startReceiver>>): Promise<void> {
  expect((await deliver(receiver.url, { delivery: { payload: fixtures.test } })).status).toBe(204);
  await until("the last is processed", () => receiver.handled.at(-1)?.event === "test");
}
