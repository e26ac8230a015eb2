import { ManualClock, until } from "@belfry/test-kit";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { openTestApplication } from "../support/application.ts";
import { untilRound } from "../support/rounds.ts";
import {
  advanceUntil,
  getDelivery,
  makeChannel,
  sendTest,
  turnEventLoop,
  untilDelivery,
  untilDeliveryEnds,
} from "../support/channels.ts";
import { startRawReceiver, startReceiver } from "../support/receiver.ts";

/*
 * These tests show when a delivery counts as answered. The clock stands still unless a test advances it, so a success
 * that needed more than the headers would never come.
 */

const kilobytes64 = Buffer.alloc(64 * 1024, "x");

/** Answers each request on a connection with these bytes, and nothing more. */
const saying =
  (...parts: readonly string[]) =>
  (socket: Socket): void =>
    void socket.on("data", () => parts.forEach((part) => socket.write(part)));

function pourEndlessly(socket: Socket): void {
  const pour = (): void => {
    while (!socket.destroyed && socket.write(kilobytes64));
  };
  socket.on("drain", pour).once("data", () => {
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    pour();
  });
}

const bodies: readonly (readonly [string, (socket: Socket) => void])[] = [
  ["that never comes", saying("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n")],
  ["that stops in the middle", saying("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf")],
  ["of unknown length that does not end", saying("HTTP/1.1 200 OK\r\n\r\n")],
  [
    "of chunks without the last chunk",
    saying("HTTP/1.1 202 Accepted\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n"),
  ],
  ["that is broken", saying("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nno chunk\r\n")],
  ["without an end", pourEndlessly],
  [
    "cut off by a reset",
    (socket) =>
      void socket.once("data", () =>
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf", () => socket.resetAndDestroy()),
      ),
  ],
];

test.each(bodies)(
  "a 2xx status is an immediate success before a body %s, and the connection is closed",
  async (_, behave) => {
    const clock = new ManualClock();
    await using receiver = await startRawReceiver(behave);
    await using app = await openTestApplication({ clock, canDeliver: true });
    const sent = await sendTest(app, await makeChannel(app, receiver.url));
    expect(await untilDeliveryEnds(app, sent)).toMatchObject({
      state: "succeeded",
      attempt_count: 1,
      last_status: expect.toBeOneOf([200, 202]),
      diagnostic: null,
    });
    await advanceUntil(clock, "the end of the connection", () => receiver.open === 0);
    expect(receiver.connections).toBe(1);
  },
);

test("a status outside 2xx is an immediate failure, whatever its body does", async () => {
  const clock = new ManualClock();
  await using receiver = await startRawReceiver(saying("HTTP/1.1 503 Busy\r\ncontent-length: 10\r\n\r\nhalf"));
  await using app = await openTestApplication({ clock, canDeliver: true });
  const sent = await sendTest(app, await makeChannel(app, receiver.url));
  await untilRound(app, "the failure", async () => (await getDelivery(app, sent)).last_status === 503);
  expect(await getDelivery(app, sent)).toMatchObject({ state: "pending", attempt_count: 1 });
  await until("the end of the connection", () => receiver.open === 0);
});

test("a connection is reused once the answer on it has ended, and only then", async () => {
  const clock = new ManualClock();
  let answer = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";
  await using receiver = await startRawReceiver((socket) => void socket.on("data", () => socket.write(answer)));
  await using app = await openTestApplication({ clock, canDeliver: true });
  const channel = await makeChannel(app, receiver.url);
  const deliver = async () => untilDeliveryEnds(app, await sendTest(app, channel));
  await deliver();
  answer = "HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\nhalf";
  await deliver();
  expect(receiver.connections).toBe(1);
  expect(await deliver()).toMatchObject({ state: "succeeded" });
  expect(receiver.connections).toBe(2);
});

test.each<readonly [string, (response: ServerResponse) => void]>([
  ["nothing", (response) => void response.writeHead(204).end()],
  ["a body with a length", (response) => void response.writeHead(200, { "content-length": "2" }).end("ok")],
  [
    "a body in chunks",
    (response) => {
      response.writeHead(200).write("o");
      response.end("k");
    },
  ],
])("a receiver that answers with %s gets its deliveries over one connection", async (_, answer) => {
  const clock = new ManualClock();
  const connections = new Set<Socket>();
  await using receiver = await startReceiver({
    behave: (request, response) => {
      connections.add(request.socket);
      answer(response);
    },
  });
  await using app = await openTestApplication({ clock, canDeliver: true });
  const channel = await makeChannel(app, receiver.url);
  for (let count = 0; count < 3; count++) {
    await untilDeliveryEnds(app, await sendTest(app, channel));
    // the end of a body may arrive after its beginning
    await turnEventLoop();
  }
  expect(connections.size).toBe(1);
});

test("a connection on which the receiver sends more than its answer is not reused", async () => {
  const clock = new ManualClock();
  await using receiver = await startRawReceiver(saying("HTTP/1.1 204 Done\r\n\r\n", "HTTP/1.1 204 Unasked\r\n\r\n"));
  await using app = await openTestApplication({ clock, canDeliver: true });
  const channel = await makeChannel(app, receiver.url);
  for (let sent = 1; sent <= 3; sent++) {
    await untilDeliveryEnds(app, await sendTest(app, channel));
    await until("the end of the connection", () => receiver.open === 0);
    expect(receiver.connections).toBe(sent);
  }
});

const interim = "HTTP/1.1 103 Early Hints\r\nlink: </style.css>\r\n\r\n";

test.each([
  ["100 Continue", "HTTP/1.1 100 Continue\r\n\r\n"],
  ["102 Processing", "HTTP/1.1 102 Processing\r\n\r\n"],
  ["103 Early Hints", interim],
  ["several", `HTTP/1.1 100 Continue\r\n\r\n${interim}${interim}`],
])("an unrequested interim answer is skipped: %s", async (_, first) => {
  const clock = new ManualClock();
  await using receiver = await startRawReceiver(saying(`${first}HTTP/1.1 204 No Content\r\n\r\n`));
  await using app = await openTestApplication({ clock, canDeliver: true });
  const channel = await makeChannel(app, receiver.url);
  for (let count = 0; count < 2; count++) {
    const sent = await sendTest(app, channel);
    expect(await untilDeliveryEnds(app, sent)).toMatchObject({ state: "succeeded", last_status: 204 });
  }
  expect(receiver.connections).toBe(1);
});

test("endless interim answers are a failure, and delay no other delivery during the five seconds", async () => {
  const clock = new ManualClock();
  await using receiver = await startRawReceiver((socket) => {
    const pour = (): void => {
      while (!socket.destroyed && socket.write(interim));
    };
    socket.on("drain", pour).once("data", pour);
  });
  await using app = await openTestApplication({ clock, canDeliver: true });
  const sent = await sendTest(app, await makeChannel(app, receiver.url));
  const failed = await untilRound(app, "the failure", async () => {
    const now = await getDelivery(app, sent);
    return now.diagnostic === null ? null : now;
  });
  expect(failed).toMatchObject({ last_status: null, diagnostic: expect.stringMatching(/interim/) });
});

test("a second and a third attempt never use a kept connection: the receiver may have dropped it silently", async () => {
  const clock = new ManualClock();
  const requestsOf = new Map<Socket, number>();
  const held: Socket[] = [];
  let isDropping = false;
  await using receiver = await startRawReceiver((socket) => {
    socket.on("data", () => {
      const nth = (requestsOf.get(socket) ?? 0) + 1;
      requestsOf.set(socket, nth);
      if (isDropping && nth > 1) return void socket.resetAndDestroy();
      held.push(socket);
    });
  });
  const answerAll = async (count: number): Promise<void> => {
    await until(`${count} requests`, () => held.length === count);
    for (const socket of held.splice(0)) socket.write("HTTP/1.1 204 Done\r\n\r\n");
  };
  await using app = await openTestApplication({ clock });
  const channel = await makeChannel(app, receiver.url);
  const sendOne = () => sendTest(app, channel);
  const first = [await sendOne(), await sendOne(), await sendOne()];
  app.inside.deliverer.start();
  await answerAll(1);
  await answerAll(2);
  for (const each of first) await untilDeliveryEnds(app, each);
  expect(receiver.connections).toBe(2);

  isDropping = true;
  const sent = await sendOne();
  await untilDelivery(app, sent, { state: "pending", attempt_count: 1 });
  await clock.advance(1_000);
  await answerAll(1);
  expect(await untilDeliveryEnds(app, sent)).toMatchObject({ state: "succeeded", attempt_count: 2 });
  expect(receiver.connections).toBe(3);
});
