import { until } from "@belfry/test-kit";
import { request } from "node:http";
import { expect, test } from "vitest";
import { systemClock } from "../../src/kernel/time/clock.ts";
import { createLog, type LogEntry } from "../../src/kernel/log/log.ts";
import { startDaemon } from "../support/harness.ts";
import { cancel, makeTask, startRun, untilEnd, untilState } from "../support/tasks.ts";
import { hang } from "../support/raw.ts";
import { openStream } from "../support/stream.ts";

/** A daemon, and its warnings, except those of a runner that a busy machine keeps silent. */
async function startWatched() {
  const warnings: LogEntry[] = [];
  const log = createLog(systemClock, "debug", [
    (entry) => {
      if (["warn", "error"].includes(entry.level) && !entry.event.startsWith("runner.")) warnings.push(entry);
    },
  ]);
  return { daemon: await startDaemon({ log }), warnings };
}

const chatter = "while :; do echo line; sleep 0.01; done";

test.each(["text/event-stream", "text/plain"])(
  "a reader of %s who disconnects from followed output causes no warning",
  async (accept) => {
    const { daemon, warnings } = await startWatched();
    await using _ = daemon;
    const run = await startRun(daemon, await makeTask(daemon, chatter, { kill_grace: "0s" }));
    await untilState(daemon, run, "running");
    for (let times = 0; times < 20; times++) {
      const path = `/v1/runs/${run.id}/output?stream=stdout&follow=true`;
      await new Promise<void>((resolve, reject) => {
        const outgoing = request({ socketPath: daemon.socketPath, path, headers: { accept } }, (incoming) => {
          incoming
            .once("data", () => outgoing.destroy())
            .on("error", () => {})
            .once("close", resolve);
        });
        outgoing.on("error", reject).end();
      });
    }
    await cancel(daemon, run);
    await untilEnd(daemon, run);
    expect(warnings).toEqual([]);
  },
);

test("a stop that closes followed outputs and the event stream causes no warning", async () => {
  const { daemon, warnings } = await startWatched();
  await using _ = daemon;
  const talking = await startRun(daemon, await makeTask(daemon, chatter));
  const silent = await startRun(daemon, await makeTask(daemon, "sleep 600"));
  await untilState(daemon, talking, "running");
  await untilState(daemon, silent, "running");
  const streams = await Promise.all(
    [talking, talking, silent, silent].map((run, index) =>
      openStream(daemon.socketPath, `/v1/runs/${run.id}/output?follow=true`, index % 2 === 0 ? {} : { accept: "*/*" }),
    ),
  );
  streams.push(await openStream(daemon.socketPath, "/v1/events"));
  await daemon.stop();
  for (const stream of streams) await stream.untilEnd();
  expect(warnings).toEqual([]);
});

test.each([
  [
    "a body",
    'POST /v1/tasks HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"name"',
  ],
  [
    "a body in chunks",
    'POST /v1/tasks HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"nam\r\n',
  ],
  ["a head", "POST /v1/tasks HTTP/1.1\r\nHost: x\r\nContent-Ty"],
])("a stop in the middle of %s leaves no warning", async (_what, bytes) => {
  const { daemon, warnings } = await startWatched();
  await using _ = daemon;
  const sockets = await Promise.all([1, 2, 3].map(() => hang(daemon.socketPath, bytes)));
  await daemon.call("GET", "/v1/health");
  await daemon.stop();
  for (const socket of sockets)
    await until("its end", () => socket.destroyed || socket.readableEnded || (socket.resume(), false));
  expect(warnings).toEqual([]);
});
