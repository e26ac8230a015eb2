import { ManualClock, tempDir, until } from "@belfry/test-kit";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { bytesOnDisk, query } from "../support/api.ts";
import { openTestApplication } from "../support/application.ts";
import type { Json } from "../support/harness.ts";
import { type Daemon, made2xx, makeGroup, makeTask } from "../support/tasks.ts";
import { bundleDaemon } from "../support/processes/bundle.ts";
import { startDaemonProcess } from "../support/processes/daemon-process.ts";

const killer = fileURLToPath(new URL("../support/processes/kill-at-commit.ts", import.meta.url));
const secrets = { environment: { PLANTED: "planted" } };

function makeTrigger(daemon: Daemon, task: Json): Promise<Json> {
  return made2xx(daemon.call("POST", "/v1/triggers", { name: `trigger of ${task.name}`, target_task_id: task.id }));
}

function makeSet(daemon: Daemon, task: Json): Promise<Json> {
  const body = { name: `set of ${task.name}`, target_task_id: task.id, count: 2 };
  return made2xx(daemon.call("POST", "/v1/trigger-sets", body));
}

const cases: readonly {
  readonly what: string;
  readonly sealedIn: readonly [table: string, column: string];
  readonly make: (daemon: Daemon) => Promise<Json>;
  readonly erase: (daemon: Daemon, made: Json) => Promise<unknown>;
}[] = [
  {
    what: "a group's environment that is cleared",
    sealedIn: ["groups", "environment_sealed"],
    make: (daemon) => makeGroup(daemon, secrets),
    erase: (daemon, { id }) => daemon.call("PATCH", `/v1/groups/${id}`, { environment: { PLANTED: null } }),
  },
  {
    what: "the environment of a group that is deleted",
    sealedIn: ["groups", "environment_sealed"],
    make: (daemon) => makeGroup(daemon, secrets),
    erase: (daemon, { id }) => daemon.call("DELETE", `/v1/groups/${id}`),
  },
  {
    what: "a task's environment that is changed",
    sealedIn: ["tasks", "environment_sealed"],
    make: (daemon) => makeTask(daemon, ":", secrets),
    erase: (daemon, { id }) => daemon.call("PATCH", `/v1/tasks/${id}`, { environment: { PLANTED: "another" } }),
  },
  {
    what: "a task's standard input that is cleared",
    sealedIn: ["tasks", "standard_input_sealed"],
    make: (daemon) => makeTask(daemon, ":", { standard_input: "planted" }),
    erase: (daemon, { id }) => daemon.call("PATCH", `/v1/tasks/${id}`, { standard_input: null }),
  },
  {
    what: "the environment of a task that is deleted",
    sealedIn: ["tasks", "environment_sealed"],
    make: (daemon) => makeTask(daemon, ":", secrets),
    erase: (daemon, { id }) => daemon.call("DELETE", `/v1/tasks/${id}`),
  },
  {
    what: "a trigger's key that is rotated",
    sealedIn: ["triggers", "key_sealed"],
    make: async (daemon) => makeTrigger(daemon, await makeTask(daemon, ":")),
    erase: (daemon, { trigger }) => daemon.call("POST", `/v1/triggers/${trigger.id}/rotate`),
  },
  {
    what: "the key of a trigger that is deleted",
    sealedIn: ["triggers", "key_sealed"],
    make: async (daemon) => makeTrigger(daemon, await makeTask(daemon, ":")),
    erase: (daemon, { trigger }) => daemon.call("DELETE", `/v1/triggers/${trigger.id}`),
  },
  {
    what: "the keys of a trigger set that are rotated",
    sealedIn: ["triggers", "key_sealed"],
    make: async (daemon) => makeSet(daemon, await makeTask(daemon, ":")),
    erase: (daemon, { trigger_set }) => daemon.call("POST", `/v1/trigger-sets/${trigger_set.id}/rotate`),
  },
  {
    what: "the keys of a trigger set that is deleted",
    sealedIn: ["triggers", "key_sealed"],
    make: async (daemon) => makeSet(daemon, await makeTask(daemon, ":")),
    erase: (daemon, { trigger_set }) => daemon.call("DELETE", `/v1/trigger-sets/${trigger_set.id}`),
  },
];

function sealedOf(dataDir: string, [table, column]: readonly [string, string]): readonly Buffer[] {
  const sql = `SELECT ${column} AS sealed FROM ${table} WHERE ${column} IS NOT NULL`;
  return query<{ sealed: Buffer }>({ dataDir }, sql).map(({ sealed }) => sealed);
}

test.for(cases)("$what is gone from database and log within a second", async ({ sealedIn, make, erase }) => {
  const clock = new ManualClock();
  await using app = await openTestApplication({ clock });
  const made = await make(app);
  const sealed = sealedOf(app.dataDir, sealedIn);
  expect(sealed.length).toBeGreaterThan(0);
  for (const bytes of sealed) expect(bytesOnDisk(app.dataDir).includes(bytes)).toBe(true);
  await made2xx(Promise.resolve(erase(app, made)) as ReturnType<Daemon["call"]>);
  await clock.advance(1_000);
  for (const bytes of sealed) expect(bytesOnDisk(app.dataDir).includes(bytes)).toBe(false);
});

test("data that a daemon erased just before it was killed is gone from the log after the next start", async () => {
  await using bundle = await bundleDaemon();
  await using dir = await tempDir("be-");
  const options = { belfryd: bundle.belfryd, dataDir: join(dir.path, "data") };
  // it ends itself, before it can empty the log
  const environment = {
    PATH: "/usr/bin:/bin",
    HOME: "/tmp",
    NODE_OPTIONS: `--import=${killer}`,
    KILL_FROM: 'delete from "tasks"',
    KILL_AT: "1",
    KILL_SIDE: "after",
  };
  const daemon = await startDaemonProcess({ ...options, environment });
  const task = await makeTask(daemon, ":", secrets);
  const [sealed] = sealedOf(options.dataDir, ["tasks", "environment_sealed"]);
  await expect(daemon.call("DELETE", `/v1/tasks/${task.id}`)).rejects.toThrow();
  // null: a signal ended it
  expect(await daemon.ended).toBeNull();
  expect(sealedOf(options.dataDir, ["tasks", "environment_sealed"])).toEqual([]);
  expect(bytesOnDisk(options.dataDir).includes(sealed!)).toBe(true);
  await using _next = await startDaemonProcess(options);
  await until("the log to be emptied", () => !bytesOnDisk(options.dataDir).includes(sealed!));
});
