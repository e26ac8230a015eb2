import { tempDir, until } from "@belfry/test-kit";
import { writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listRuns, makeTask, outputOf, startRun, untilEnd, untilState, waitFor } from "../support/tasks.ts";
import type { Json } from "../support/harness.ts";
import { bundleDaemon } from "../support/processes/bundle.ts";
import { someClaimHasEnd } from "../support/processes/runners.ts";
import { spawnDaemon, startDaemonProcess } from "../support/processes/daemon-process.ts";

test("a stop does not affect running tasks, and the next daemon has their results and their complete output", async () => {
  await using place = await tempDir();
  await using bundle = await bundleDaemon();
  const options = { belfryd: bundle.belfryd, dataDir: join(place.path, "data") };
  const first = await startDaemonProcess(options);
  const step = (name: string): string => join(place.path, name);
  const long = await makeTask(
    first,
    `echo before; ${waitFor(step("away"))}; echo between; ${waitFor(step("back"))}; echo after; exit 4`,
  );
  const short = await makeTask(first, `echo before; ${waitFor(step("away"))}; echo ended alone`);
  const waiting = await makeTask(first, "echo waited", { concurrency: { limit: 1 } });
  const [longRun, shortRun] = [await startRun(first, long), await startRun(first, short)];
  let aheadMs = 2_500;
  const laterRun: Json = await until("a start for a later time", async () => {
    aheadMs *= 2;
    const later = { scheduled_for: new Date(Date.now() + aheadMs).toISOString() };
    const { status, json } = await first.call("POST", `/v1/tasks/${waiting.id}/run`, later);
    // on a busy machine, the time may have passed before the daemon reads it
    return status < 300 ? json : null;
  });
  await untilState(first, longRun, "running");
  await untilState(first, shortRun, "running");

  expect(await first.stop()).toBe(0);
  await writeFile(step("away"), "");
  await until("the short task's end", () => someClaimHasEnd(options.dataDir));

  await using second = await startDaemonProcess(options);
  expect(await untilEnd(second, shortRun)).toMatchObject({ state: "succeeded", exit_code: 0 });
  expect(await outputOf(second, shortRun)).toBe("before\nended alone\n");
  await writeFile(step("back"), "");
  expect(await untilEnd(second, longRun)).toMatchObject({ state: "failed", exit_code: 4, attempt: 1 });
  expect(await outputOf(second, longRun)).toBe("before\nbetween\nafter\n");
  expect(await untilEnd(second, laterRun)).toMatchObject({ state: "succeeded" });
  expect(await listRuns(second, "limit=10")).toHaveLength(3);
});

test("fifty subscribers and a running task do not hold up a stop", async () => {
  await using place = await tempDir();
  await using bundle = await bundleDaemon();
  const options = { belfryd: bundle.belfryd, dataDir: join(place.path, "data") };
  await using daemon = await startDaemonProcess(options);
  const run = await startRun(daemon, await makeTask(daemon, waitFor(join(place.path, "go"))));
  await untilState(daemon, run, "running");
  const paths = Array.from({ length: 50 }, (_, index) =>
    index % 2 === 0 ? "/v1/events" : `/v1/runs/${run.id}/output?follow=true`,
  );
  const streams = await Promise.all(paths.map((path) => openStream(join(options.dataDir, "belfry.sock"), path)));
  expect(await daemon.stop()).toBe(0);
  await Promise.all(streams.map(({ closed }) => closed));
  await writeFile(join(place.path, "go"), "");
});

test("a second daemon on the same directory reports why it does not start, and does not affect the first", async () => {
  await using place = await tempDir();
  await using bundle = await bundleDaemon();
  const options = { belfryd: bundle.belfryd, dataDir: join(place.path, "data") };
  await using first = await startDaemonProcess(options);
  await using second = spawnDaemon(options);
  expect(await second.ended).toBe(1);
  expect(second.said.stderr).toMatch(/^belfryd: another Belfry daemon is using this data directory \(.*\): .*\n$/);
  expect(second.said.stdout).toBe("");
  expect(await untilEnd(first, await startRun(first, await makeTask(first, ":")))).toMatchObject({
    state: "succeeded",
  });
});

/** Resolves when the answer begins. */
function openStream(socketPath: string, path: string): Promise<{ readonly closed: Promise<void> }> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ socketPath, path, headers: { accept: "text/event-stream" } }, (incoming) => {
      const closed = new Promise<void>((done) =>
        incoming
          .resume()
          .on("error", () => {})
          .once("close", () => done()),
      );
      resolve({ closed });
    });
    outgoing.on("error", reject).end();
  });
}
