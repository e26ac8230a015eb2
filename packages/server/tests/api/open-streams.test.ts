import { tempDir, until } from "@belfry/test-kit";
import { get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listenLocally } from "../../src/transports/local/listen.ts";
import { makeTask, muchLater } from "./api.ts";
import { openHouse } from "./house.ts";

/** The application of a daemon behind a real socket. */
async function openSocket() {
  const dir = await tempDir("bf-");
  const house = await openHouse({ canRun: true });
  const path = join(dir.path, "s");
  const listener = await listenLocally({
    path,
    version: "test",
    fetch: house.fetch,
    overrideGlobalObjects: false,
    onUnexpected: (error) => {
      throw error;
    },
  });
  const open = (target: string): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const headers = { accept: "text/event-stream" };
      get({ socketPath: path, path: target, headers }, resolve).once("error", reject);
    });
  return {
    house,
    open,
    [Symbol.asyncDispose]: async () => {
      await listener.close();
      await house[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}

test("every open stream knows its caller: those of one actor are closed, and no other", async () => {
  await using opened = await openSocket();
  const { house, open } = opened;
  const task = await makeTask(house);
  const run = await house.call("POST", `/v1/tasks/${task.id}/run`, { scheduled_for: muchLater });
  const events = await open("/v1/events");
  const output = await open(`/v1/runs/${run.json.id}/output?follow=true`);
  expect([events.statusCode, output.statusCode, house.streams.size()]).toEqual([200, 200, 2]);
  expect(house.streams.closeOf("act_00000000000000000000")).toBe(0);

  const closed = [events, output].map(
    (stream) =>
      new Promise((resolve) =>
        stream
          .resume()
          .on("error", () => {})
          .on("close", resolve),
      ),
  );
  expect(house.streams.closeOf(house.actorId())).toBe(2);
  await Promise.all(closed);
  expect(house.streams.size()).toBe(0);
});

test("a stream that its reader leaves is forgotten", async () => {
  await using opened = await openSocket();
  const { house, open } = opened;
  const events = await open("/v1/events");
  expect(house.streams.size()).toBe(1);
  events.destroy();
  await until("the daemon to notice", () => house.streams.size() === 0);
});

test("the capability of a caller is read for each call", async () => {
  await using house = await openHouse();
  expect((await house.call("POST", "/v1/groups", { name: "one" })).status).toBe(201);
  house.sqlite.prepare("UPDATE actors SET capability = 'observe'").run();
  const refused = await house.call("POST", "/v1/groups", { name: "two" });
  expect([refused.status, refused.json.error.code]).toEqual([403, "forbidden"]);
});
