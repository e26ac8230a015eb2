import { ManualClock, until } from "@belfry/test-kit";
import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { makeGroup, makeTask, muchLater } from "../support/api.ts";
import { callerOf, makeCaller, type TestCaller } from "../support/callers.ts";
import { asWait, untilChanged } from "../support/changes.ts";
import { openSocket, type OpenSocket } from "../support/open-socket.ts";

const dayMs = 86_400_000;

/** Resolves when the connection of a stream has closed. The clock of the daemon does not move meanwhile. */
function closing(stream: IncomingMessage): {
  readonly isClosed: () => boolean;
  readonly closed: () => Promise<unknown>;
} {
  let isClosed = false;
  const end = new Promise<void>((resolve) => {
    stream
      .resume()
      .on("error", () => {})
      .on("close", () => {
        isClosed = true;
        resolve();
      });
  });
  return {
    isClosed: () => isClosed,
    closed: () =>
      untilChanged(
        asWait("the end of the stream"),
        () => isClosed,
        () => end,
      ),
  };
}

async function expectClosed(streams: readonly ReturnType<typeof closing>[]): Promise<void> {
  for (const stream of streams) await stream.closed();
}

/** Opens events and the output of a run that waits, which would send nothing for years. */
async function openStreams({ app, open }: OpenSocket, caller: TestCaller) {
  const task = await makeTask(app);
  const run = await app.call("POST", `/v1/tasks/${task.id}/run`, { scheduled_for: muchLater });
  const events = await open("/v1/events", caller.headers);
  const output = await open(`/v1/runs/${run.json.id}/output?follow=true`, caller.headers);
  expect([events.statusCode, output.statusCode]).toEqual([200, 200]);
  return [events, output].map(closing);
}

const restrictions = [
  ["disabled", { state: "disabled" }],
  ["lowered", { capability: "operate" }],
] as const;

test.each(restrictions)("the open streams of an actor that is %s are closed, and no others", async (_, patch) => {
  await using opened = await openSocket({ clock: new ManualClock() });
  const { app } = opened;
  const [concerned, other] = [await makeCaller(app), await makeCaller(app)];
  const streams = await openStreams(opened, concerned);
  const others = await openStreams(opened, other);
  expect((await app.call("PATCH", `/v1/access/actors/${concerned.actor.id}`, patch)).status).toBe(200);
  await expectClosed(streams);
  expect(others.map((stream) => stream.isClosed())).toEqual([false, false]);
  expect(app.streams.size()).toBe(2);
});

test("a change that takes no rights away closes nothing", async () => {
  await using opened = await openSocket({ clock: new ManualClock() });
  const { app } = opened;
  const caller = await makeCaller(app, { capability: "operate" });
  await openStreams(opened, caller);
  for (const patch of [{ name: "renamed" }, { capability: "manage" }, { expires_at: muchLater }, { state: "active" }])
    expect((await app.call("PATCH", `/v1/access/actors/${caller.actor.id}`, patch)).status).toBe(200);
  expect(app.streams.size()).toBe(2);
});

test("the open streams of a revoked actor are closed", async () => {
  await using opened = await openSocket({ clock: new ManualClock() });
  const { app } = opened;
  const caller = await makeCaller(app);
  const streams = await openStreams(opened, caller);
  await app.call("POST", `/v1/access/actors/${caller.actor.id}/revoke`);
  await expectClosed(streams);
});

test("the stream of a reader that reads nothing is closed like any other", async () => {
  await using opened = await openSocket({ clock: new ManualClock() });
  const { app, open } = opened;
  const caller = await makeCaller(app);
  // its socket fills up, because nobody reads it
  const stream = await open("/v1/events", caller.headers);
  for (let count = 0; count < 200; count++) await makeGroup(app, { description: "x".repeat(10_000) });
  expect(app.hub.size).toBe(1);
  await app.call("POST", `/v1/access/actors/${caller.actor.id}/revoke`);
  await until("the hub to forget the reader", () => app.hub.size === 0);
  stream.on("error", () => {}).destroy();
});

test("the open streams of a revoked credential are closed, and those of another credential of the actor stay open", async () => {
  await using opened = await openSocket({ clock: new ManualClock() });
  const { app } = opened;
  const caller = await makeCaller(app);
  const streams = await openStreams(opened, caller);
  const others = await openStreams(opened, callerOf(app, caller.actor));
  await app.call("POST", `/v1/access/credentials/${caller.credentialId}/revoke`);
  await expectClosed(streams);
  expect(others.map((stream) => stream.isClosed())).toEqual([false, false]);
});

test("a reset of the manifest closes the streams of every credential, and those of the local socket stay open", async () => {
  await using opened = await openSocket({ clock: new ManualClock() });
  const { app, open } = opened;
  const local = closing(await open("/v1/events"));
  const streams = [
    ...(await openStreams(opened, await makeCaller(app))),
    ...(await openStreams(opened, await makeCaller(app))),
  ];
  const { installation_id } = (await app.call("GET", "/v1/manifest")).json;
  await app.call("POST", "/v1/manifest/reset", { confirm_installation_id: installation_id });
  await expectClosed(streams);
  expect(local.isClosed()).toBe(false);
});

test("the open streams of an actor are closed at its expiry, without anybody's call", async () => {
  const clock = new ManualClock();
  await using opened = await openSocket({ clock });
  const { app } = opened;
  app.inside.access.expiry.start();
  const expires_at = new Date(clock.now() + dayMs).toISOString();
  const caller = await makeCaller(app, { expires_at });
  const streams = await openStreams(opened, caller);
  await clock.advance(dayMs - 1);
  expect(streams.map((stream) => stream.isClosed())).toEqual([false, false]);
  await clock.advance(1);
  await expectClosed(streams);
});

test("an expiry that is moved forward closes the streams at the new time", async () => {
  const clock = new ManualClock();
  await using opened = await openSocket({ clock });
  const { app } = opened;
  app.inside.access.expiry.start();
  const caller = await makeCaller(app);
  const streams = await openStreams(opened, caller);
  const expires_at = new Date(clock.now() + 5_000).toISOString();
  await app.call("PATCH", `/v1/access/actors/${caller.actor.id}`, { expires_at });
  await clock.advance(5_000);
  await expectClosed(streams);
});

test("streams are closed within 30 s if the clock is set forward over the expiry", async () => {
  const clock = new ManualClock();
  await using opened = await openSocket({ clock });
  const { app } = opened;
  app.inside.access.expiry.start();
  const caller = await makeCaller(app, { expires_at: new Date(clock.now() + dayMs).toISOString() });
  const streams = await openStreams(opened, caller);
  clock.jump(dayMs);
  await clock.advance(30_000);
  await expectClosed(streams);
});

test("if the clock is set back over an expiry, the actor is active until that time comes again", async () => {
  const clock = new ManualClock();
  await using opened = await openSocket({ clock });
  const { app } = opened;
  app.inside.access.expiry.start();
  const caller = await makeCaller(app, { expires_at: new Date(clock.now() + 5_000).toISOString() });
  await clock.advance(6_000);
  clock.jump(-6_000);
  const streams = await openStreams(opened, caller);
  await clock.advance(5_000 + 30_000);
  await expectClosed(streams);
});
