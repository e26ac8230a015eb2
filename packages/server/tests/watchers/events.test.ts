import { mkdirSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import { startDaemon } from "../support/harness.ts";
import { makeTask, query } from "../support/api.ts";
import { openStream } from "../support/stream.ts";
import { makeTask as makeRunnable, untilReady } from "../support/tasks.ts";
import { place, watch } from "../support/watchers.ts";

const marker = "planted-marker";

test("the events of a watcher have its name and health, and neither path nor pattern", async () => {
  await using daemon = await startDaemon();
  await using stream = await openStream(daemon.socketPath, "/v1/events?kinds=filesystem_watcher");
  await stream.next();
  const task = await makeTask(daemon);
  const definition = { kind: "directory", path: `/missing/${marker}`, pattern: `${marker}*`, target_task_id: task.id };
  const { id } = (
    await daemon.call("POST", "/v1/filesystem-watchers", { name: "Inbox", ...definition, enabled: false })
  ).json;
  await daemon.call("PATCH", `/v1/filesystem-watchers/${id}`, { name: "Outbox", path: `/missing/${marker}2` });
  await daemon.call("DELETE", `/v1/filesystem-watchers/${id}`);
  await stream.until("the deletion", () => stream.frames.at(-1)?.data.verb === "deleted");
  const health = { state: "stopped", reason: "The watcher is disabled", since: expect.stringMatching(/Z$/) };
  const kind = "filesystem_watcher";
  expect(stream.frames.slice(1).map(({ data }) => data)).toEqual([
    { kind, verb: "created", id, name: "Inbox", health },
    { kind, verb: "updated", id, name: "Outbox", health },
    { kind, verb: "deleted", id, name: "Outbox" },
  ]);
  const audited = query<{ changed_fields_json: string }>(
    daemon,
    "SELECT * FROM audit_events WHERE resource_type = 'filesystem_watcher'",
  );
  expect(audited.length).toBe(3);
  expect(JSON.stringify([audited, stream.frames])).not.toContain(marker);
});

test("the health of a watcher stays as it is while directories come and go", async () => {
  await using daemon = await startDaemon();
  await untilReady(daemon, await makeRunnable(daemon, "true"));
  await using watching = await watch(daemon, { watcher: { recursive: true } });
  await using stream = await openStream(daemon.socketPath, "/v1/events?kinds=filesystem_watcher");
  await stream.next();
  const since = (await watching.read()).health.since;
  for (const tree of ["one", "two"]) {
    // so many that they are read in several rounds
    for (let index = 0; index < 500; index++) mkdirSync(watching.path(`${tree}/d${index}/deep`), { recursive: true });
    place(watching.root, `${tree}/d499/deep/last`);
    await watching.untilFiles(tree === "one" ? 1 : 2);
    rmSync(watching.path(tree), { recursive: true });
  }
  place(watching.root, "after");
  await watching.untilFiles(3);
  expect(stream.frames.slice(1).map(({ data }) => data.health)).toEqual([]);
  expect((await watching.read()).health).toMatchObject({ state: "observing", since });

  rmSync(watching.root, { recursive: true });
  await watching.untilHealth("missing_path");
  mkdirSync(watching.root);
  await watching.untilHealth("observing");
  const states = () => stream.frames.slice(1).map(({ data }) => data.health.state);
  await stream.until("the event", () => states().at(-1) === "observing");
  expect(states().filter((state) => state !== "starting")).toEqual(["missing_path", "observing"]);
});
