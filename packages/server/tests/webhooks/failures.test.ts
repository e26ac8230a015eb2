import { ManualClock, until } from "@belfry/test-kit";
import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { type TestApplication, openTestApplication } from "../support/application.ts";
import type { Json } from "../support/harness.ts";
import { endOverPauses, getDelivery, makeChannel, sendTest, turnEventLoop } from "../support/channels.ts";
import { freePlace } from "../support/ports.ts";
import { answerWith, type Behaviour, startRawReceiver, startReceiver } from "../support/receiver.ts";

/*
 * Times as documented, on a manual clock: five seconds per attempt, one second after the first failure, two after the
 * second, and then no more. Sockets are real, so the clock advances only while they are idle.
 */

const secrets = ["planted-path", "planted-query", "planted-authorization"];

interface Evidence {
  readonly status: number | null;
  readonly diagnostic: RegExp;
  /** How long an attempt takes by the clock. */
  readonly takesMs: number;
}

const whole: readonly [string, Behaviour, Evidence][] = [
  ...[301, 302, 303, 307, 308].map((status): [string, Behaviour, Evidence] => [
    `a redirect (${status})`,
    (request, response) =>
      answerWith(status, { location: `http://${request.headers.host}/elsewhere` })(request, response, 0),
    { status, diagnostic: new RegExp(`responded with status ${status}; redirects are not followed`), takesMs: 0 },
  ]),
  [
    "an internal error (500)",
    answerWith(500, {}, "planted-path"),
    { status: 500, diagnostic: /responded with status 500$/, takesMs: 0 },
  ],
  ["a refusal (404)", answerWith(404), { status: 404, diagnostic: /responded with status 404$/, takesMs: 0 }],
  ["no headers in time", () => {}, { status: null, diagnostic: /after 5 s .* the response/, takesMs: 5_000 }],
  [
    "headers without an end",
    (request) => void request.socket.write(`HTTP/1.1 200 OK\r\nx: ${"y".repeat(200_000)}`),
    { status: null, diagnostic: /headers of the response are too large/, takesMs: 0 },
  ],
  [
    "a broken connection",
    (request) => void request.socket.destroy(),
    { status: null, diagnostic: /closed before a response/, takesMs: 0 },
  ],
];

test.each(whole)("%s is tried three times as documented, and the delivery records why", async (_, behave, evidence) => {
  const clock = new ManualClock();
  await using receiver = await startReceiver({ behave });
  await using daemon = await openTestApplication({ clock, canDeliver: true });
  const channel = await makeChannel(daemon, receiver.url, { authorization: "Bearer planted-authorization" });
  await expectByTheBook(daemon, clock, { channel, evidence, countAttempts: () => receiver.requests.length });
  expect(new Set(receiver.requests.map(({ path }) => path))).toEqual(new Set(["/hook/planted-path?key=planted-query"]));
  expect(new Set(receiver.requests.map(({ headers }) => headers["x-service-delivery"])).size).toBe(1);
});

const raw: readonly [string, (socket: Socket) => void, Evidence][] = [
  ["a peer that sends nothing", () => {}, { status: null, diagnostic: /after 5 s/, takesMs: 5_000 }],
  [
    "a reset right after the connection",
    (socket) => void socket.resetAndDestroy(),
    { status: null, diagnostic: /closed before a response/, takesMs: 0 },
  ],
  [
    "garbage",
    (socket) => void socket.end("garbage that is no HTTP\r\n\r\n"),
    { status: null, diagnostic: /^the response is not HTTP\/1.1$/, takesMs: 0 },
  ],
  [
    "an invalid status",
    (socket) => void socket.end("HTTP/1.1 999999 OK\r\n\r\n"),
    { status: null, diagnostic: /is not HTTP: its first line has no valid status/, takesMs: 0 },
  ],
  ...["999 Odd", "600 Odd", "099 Odd", "101 Switching Protocols", "101 Over\r\nupgrade: x\r\nconnection: upgrade"].map(
    (status): [string, (socket: Socket) => void, Evidence] => [
      `a status that is not final (${status.slice(0, 8)})`,
      (socket) => void socket.once("data", () => socket.write(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`)),
      {
        status: null,
        diagnostic: new RegExp(`responded with status ${Number(status.slice(0, 3))}, which is not a final HTTP status`),
        takesMs: 0,
      },
    ],
  ),
];

test.each(raw)("%s is tried three times as documented, and the delivery records why", async (_, behave, evidence) => {
  const clock = new ManualClock();
  await using receiver = await startRawReceiver((socket) => {
    socket.on("data", () => {});
    behave(socket);
  });
  await using daemon = await openTestApplication({ clock, canDeliver: true });
  const channel = await makeChannel(daemon, receiver.url);
  await expectByTheBook(daemon, clock, { channel, evidence, countAttempts: () => receiver.connections });
});

test("a refused connection is tried three times as documented, and the delivery records why", async () => {
  const clock = new ManualClock();
  await using daemon = await openTestApplication({ clock, canDeliver: true });
  const { host, port } = await freePlace();
  const channel = await makeChannel(daemon, `http://${host}:${port}/hook/planted-path?key=planted-query`);
  const evidence = { status: null, diagnostic: /connection was refused \(ECONNREFUSED\)/, takesMs: 0 };
  await expectByTheBook(daemon, clock, { channel, evidence, countAttempts: null });
});

test("TLS to a receiver without TLS is a failure that names no more than its code", async () => {
  const clock = new ManualClock();
  await using receiver = await startRawReceiver(
    (socket) => void socket.on("data", () => socket.end("HTTP/1.1 200 OK\r\n\r\n")),
  );
  await using daemon = await openTestApplication({ clock, canDeliver: true });
  const channel = await makeChannel(daemon, receiver.url.replace("http:", "https:"));
  const evidence = { status: null, diagnostic: /the TLS handshake failed \(E/, takesMs: 0 };
  await expectByTheBook(daemon, clock, { channel, evidence, countAttempts: () => receiver.connections });
});

test("a receiver that recovers gets its delivery, under the same id, with the count and the last status", async () => {
  const clock = new ManualClock();
  await using receiver = await startReceiver({
    behave: (request, response, nth) => answerWith(nth === 1 ? 503 : 200, {}, "fine")(request, response, nth),
  });
  await using daemon = await openTestApplication({ clock, canDeliver: true });
  const { id } = await sendTest(daemon, await makeChannel(daemon, receiver.url));
  expect(await endOverPauses(daemon, clock, { id })).toMatchObject({
    state: "succeeded",
    attempt_count: 2,
    last_status: 200,
    diagnostic: null,
  });
  const [first, second] = receiver.requests;
  expect(second?.body).toBe(first?.body);
  expect(second?.headers).toEqual(first?.headers);
});

interface Expected {
  readonly channel: Json;
  readonly evidence: Evidence;
  readonly countAttempts: (() => number) | null;
}

async function expectByTheBook(
  daemon: TestApplication,
  clock: ManualClock,
  { channel, evidence, countAttempts }: Expected,
): Promise<void> {
  const sent = await sendTest(daemon, channel);
  const seen: { readonly attempt: number; readonly atMs: number }[] = [];
  const from = clock.now();
  const { takesMs } = evidence;
  // the clock does not advance while an attempt uses sockets, which take real time
  const isWithSockets = (now: Json): boolean =>
    now.state === "claimed" && (takesMs === 0 || (countAttempts?.() ?? Infinity) < now.attempt_count);
  await until("its end", async () => {
    await turnEventLoop();
    const now = await getDelivery(daemon, sent);
    const { attempt_count: attempt } = now;
    if (attempt > (seen.at(-1)?.attempt ?? 0)) seen.push({ attempt, atMs: clock.now() - from });
    if (now.ended_at !== null) return true;
    if (!isWithSockets(now)) await clock.advance(50);
    return false;
  });
  const tookMs = clock.now() - from;
  const expected = [0, takesMs + 1_000, 2 * takesMs + 3_000];
  expect(seen.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
  seen.forEach(({ atMs }, index) =>
    expect(Math.abs(atMs - expected[index]!), `attempt ${index + 1}`).toBeLessThanOrEqual(100),
  );
  expect(Math.abs(tookMs - (3 * takesMs + 3_000))).toBeLessThanOrEqual(100);

  const ended = await getDelivery(daemon, sent);
  expect(ended).toMatchObject({
    state: "failed",
    attempt_count: 3,
    last_status: evidence.status,
    next_attempt_at: null,
  });
  expect(ended.diagnostic).toMatch(evidence.diagnostic);
  expect(ended.diagnostic.length).toBeLessThanOrEqual(500);
  for (const secret of secrets) expect(JSON.stringify(ended)).not.toContain(secret);
  // no further attempt follows, however long the wait
  const attempts = countAttempts?.();
  for (let minute = 0; minute < 5; minute++) {
    await clock.advance(60_000);
    await turnEventLoop();
  }
  expect(countAttempts?.()).toBe(attempts);
  if (attempts !== undefined) expect(attempts).toBe(3);
}
