import { until } from "@belfry/test-kit";
import { expect, test } from "vitest";
import { makeTask, muchLater } from "../support/api.ts";
import { openTestApplication } from "../support/application.ts";
import { openSocket } from "../support/open-socket.ts";

test("the open streams of one actor are closed, and those of other actors stay open", async () => {
  await using opened = await openSocket();
  const { app, open } = opened;
  const task = await makeTask(app);
  const run = await app.call("POST", `/v1/tasks/${task.id}/run`, { scheduled_for: muchLater });
  const events = await open("/v1/events");
  const output = await open(`/v1/runs/${run.json.id}/output?follow=true`);
  expect([events.statusCode, output.statusCode, app.streams.size()]).toEqual([200, 200, 2]);
  expect(app.streams.closeOf("act_00000000000000000000")).toBe(0);

  const closed = [events, output].map(
    (stream) =>
      new Promise((resolve) =>
        stream
          .resume()
          .on("error", () => {})
          .on("close", resolve),
      ),
  );
  expect(app.streams.closeOf(app.actorId())).toBe(2);
  await Promise.all(closed);
  expect(app.streams.size()).toBe(0);
});

test("a stream whose reader disconnects is forgotten", async () => {
  await using opened = await openSocket();
  const { app, open } = opened;
  const events = await open("/v1/events");
  expect(app.streams.size()).toBe(1);
  events.destroy();
  await until("the daemon to notice", () => app.streams.size() === 0);
});

test("the capability of a caller is read for each call", async () => {
  await using app = await openTestApplication();
  expect((await app.call("POST", "/v1/groups", { name: "one" })).status).toBe(201);
  app.sqlite.prepare("UPDATE actors SET capability = 'observe'").run();
  const refused = await app.call("POST", "/v1/groups", { name: "two" });
  expect([refused.status, refused.json.error.code]).toEqual([403, "forbidden"]);
});
