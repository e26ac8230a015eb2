import { ManualClock } from "@belfry/test-kit";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createLog, systemClock } from "../../src/index.ts";
import { openStream } from "../support/stream.ts";
import { startDaemon } from "../support/harness.ts";
import { startRun, untilEnd, untilReady } from "../support/tasks.ts";
import { assign, endOverPauses, listDeliveries, makeChannel } from "../support/channels.ts";
import { answerWith, startReceiver } from "../support/receiver.ts";

const mark = (what: string): string => `planted-${what}-7KxQ2m`;
/** The parts of a run and its endpoint: no notification may expose them to other readers. */
const ofTask = ["program", "argument", "directory", "environment", "group-environment", "input", "output", "errors"];
const ofChannel = ["path", "query", "authorization"];

test("bodies, deliveries, events, log and trail contain nothing of a task but its name, and no channel secret", async () => {
  const logged: string[] = [];
  const log = createLog(systemClock, "debug", [(entry) => void logged.push(JSON.stringify(entry))]);
  // the receiver's answer is not exposed either
  await using receiver = await startReceiver({
    behave: (request, response, nth) =>
      answerWith(
        500,
        { "x-echo": String(request.headers.authorization) },
        `${request.url} ${request.headers.authorization}`,
      )(request, response, nth),
  });
  const clock = new ManualClock(new Date().toISOString());
  await using daemon = await startDaemon({ clock, log });
  await using stream = await openStream(
    daemon.socketPath,
    "/v1/events?kinds=notification_channel,notification_assignment,notification_delivery",
  );
  const directory = join(daemon.dataDir, mark("directory"));
  await mkdir(directory);
  const group = await daemon.call("POST", "/v1/groups", { name: "g", environment: { G: mark("group-environment") } });
  const made = await daemon.call("POST", "/v1/tasks", {
    name: "told",
    group_id: group.json.id,
    command: {
      kind: "exec",
      program: "/bin/sh",
      arguments: [
        "-c",
        `: ${mark("program")}; cat; echo ${mark("output")}; echo ${mark("errors")} >&2; exit 4`,
        mark("argument"),
      ],
    },
    working_directory: directory,
    environment: { E: mark("environment") },
    standard_input: mark("input"),
  });
  const channel = await makeChannel(daemon, `${receiver.origin}/${mark("path")}?key=${mark("query")}`, {
    authorization: `Bearer ${mark("authorization")}`,
  });
  await assign(daemon, `tasks/${made.json.id}`, [[channel, false, true]]);
  const run = await untilEnd(daemon, await startRun(daemon, await untilReady(daemon, made.json)));
  expect(run.exit_code).toBe(4);
  const [delivery] = await listDeliveries(daemon, `run_id=${run.id}`);
  await endOverPauses(daemon, clock, delivery);
  expect(receiver.requests).toHaveLength(3);
  expect(receiver.requests[0]!.path).toContain(mark("path"));

  for (const { body } of receiver.requests) expectClean(body, "a body", [...ofTask, ...ofChannel]);
  for (const path of [
    "/v1/notification-deliveries",
    "/v1/notification-channels",
    `/v1/tasks/${made.json.id}/notifications`,
    `/v1/tasks/${made.json.id}/notifications/effective`,
    "/v1/audit?limit=1000",
    `/v1/runs/${run.id}`,
  ])
    expectClean((await daemon.call("GET", path)).text, path, [...ofTask, ...ofChannel]);
  await stream.until("the last event", () => stream.frames.some(({ data }) => data.state === "failed"));
  expectClean(JSON.stringify(stream.frames), "an event", [...ofTask, ...ofChannel]);
  expect(logged.filter((line) => line.includes("delivery.")).length).toBeGreaterThan(2);
  expectClean(logged.join("\n"), "the log", [...ofTask, ...ofChannel]);
  const pages = Buffer.concat(
    await Promise.all(["belfry.db", "belfry.db-wal"].map((name) => readFile(join(daemon.dataDir, name)))),
  ).toString("latin1");
  // the other parts of a task are its definition, which the database keeps
  expectClean(pages, "the database", [...ofChannel, "environment", "group-environment", "input"]);
});

function expectClean(text: string, where: string, marks: readonly string[]): void {
  for (const what of marks) expect(text.includes(mark(what)), `${what} in ${where}`).toBe(false);
}
