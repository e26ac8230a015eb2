import { ManualClock, tempDir } from "@belfry/test-kit";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startDaemon } from "../support/harness.ts";
import { openStream } from "../support/stream.ts";
import { makeTask, runOnce, startRun, untilState, waitFor } from "../support/tasks.ts";

const outputOf = ({ id }: { readonly id: string }, query: string) => `/v1/runs/${id}/output${query}`;

test("followed events begin with a heartbeat, and have another after each 15 quiet seconds before the attempt", async () => {
  const clock = new ManualClock();
  await using daemon = await startDaemon({ clock });
  const run = await startRun(daemon, await makeTask(daemon, ":"), { scheduled_for: "2990-01-01T00:00:00Z" });
  await using stream = await openStream(daemon.socketPath, outputOf(run, "?follow=true"));
  await stream.until("the first heartbeat", () => stream.comments() === 1);
  for (const count of [2, 3, 4]) {
    await clock.advance(14_999);
    expect(stream.comments()).toBe(count - 1);
    await clock.advance(1);
    await stream.until("a heartbeat", () => stream.comments() === count);
  }
  expect(stream.frames).toEqual([]);
});

test("a running attempt that writes nothing has heartbeats, and output delays the next one", async () => {
  await using place = await tempDir();
  const go = join(place.path, "go");
  const clock = new ManualClock();
  await using daemon = await startDaemon({ clock });
  const run = await startRun(daemon, await makeTask(daemon, `echo one; ${waitFor(go)}; echo two`));
  await untilState(daemon, run, "running");
  await using stream = await openStream(daemon.socketPath, outputOf(run, "?follow=true"));
  expect((await stream.next()).event).toBe("output");
  await clock.advance(14_999);
  expect(stream.comments()).toBe(1);
  await clock.advance(1);
  await stream.until("a heartbeat", () => stream.comments() === 2);
  await clock.advance(14_999);
  await writeFile(go, "");
  expect((await stream.next()).event).toBe("output");
  // the time since the output is short
  await clock.advance(1);
  await stream.untilEnd();
  expect(stream.comments()).toBe(2);
  const texts = stream.frames.flatMap(({ event, data }) =>
    event === "output" ? [Buffer.from(data.base64, "base64").toString()] : [event],
  );
  expect(texts).toEqual(["one\n", "two\n", "end"]);
});

test("events that are not followed have no heartbeat", async () => {
  await using daemon = await startDaemon();
  const run = await runOnce(daemon, "echo one");
  await using stream = await openStream(daemon.socketPath, outputOf(run, ""));
  await stream.untilEnd();
  expect([stream.comments(), stream.frames.length]).toEqual([0, 2]);
});
