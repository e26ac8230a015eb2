import { filesBelow, tempDir, until } from "@belfry/test-kit";
import { readdirSync, readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Answer, Json } from "../support/harness.ts";
import { endOf, makeTask, makeTrigger, makeTriggerSet, missing } from "../support/api.ts";
import { type DaemonProcess, useDaemonProcess } from "../support/processes/daemon-process.ts";
import { openStream } from "../support/stream.ts";
import { fire } from "../support/triggers.ts";

const daemons = useDaemonProcess();

/** Calls with a key in the wrong place. */
function blunders(daemon: DaemonProcess, key: string): readonly Promise<Answer>[] {
  const { call } = daemon;
  const json = { "content-type": "application/json" };
  const ofPath = ["GET", "PATCH", "DELETE"].map((method) =>
    call(method, `/v1/triggers/${key}`, method === "PATCH" ? { name: "x" } : undefined),
  );
  const ofVerb = ["enable", "disable", "rotate", "reveal"].map((verb) => call("POST", `/v1/triggers/${key}/${verb}`));
  return [
    ...ofPath,
    ...ofVerb,
    call("GET", `/v1/trigger-sets/${key}`),
    call("POST", `/v1/fire/${key}`),
    call("POST", `/v1/fire/${key.replaceAll("_", "%5F")}`),
    call("GET", `/v1/triggers/${key.replaceAll("_", "%5f")}`),
    call("PUT", `/v1/triggers/${key}`),
    call("POST", `/v1/triggers/fire?${key}=1`, { key }),
    call("POST", `/v1/triggers/fire?key=${key}`, { key }),
    call("POST", "/v1/triggers/fire", { key, [key]: 1 }),
    call("POST", "/v1/triggers/fire", { key: [key] }),
    call("POST", "/v1/triggers/fire", { key: `${key}x` }),
    call("POST", "/v1/triggers/fire", { key: key.repeat(10) }),
    call("POST", "/v1/triggers/fire", key, json),
    call("POST", "/v1/triggers/fire", `{"key":"${key}"`, json),
    call("POST", "/v1/triggers/fire", { key }, { "content-type": "text/plain" }),
    call("POST", "/v1/triggers/fire", { key }, { "idempotency-key": key }),
    call("POST", "/v1/triggers", { name: "x", target_task_id: key }),
    ...["/v1/triggers", "/v1/trigger-sets"].map((path) =>
      call("POST", path, { name: key, target_task_id: missing.task, ...(path === "/v1/triggers" ? {} : { count: 1 }) }),
    ),
    call("POST", "/v1/trigger-sets", { name: "x", target_task_id: missing.task, member_names: ["y", `of ${key}`] }),
    call("PATCH", `/v1/triggers/${missing.trigger}`, { name: key }),
    call("POST", "/v1/groups", { name: key }),
    call("POST", "/v1/tasks", { name: ` ${key}` }),
    call("POST", "/v1/tasks", { name: "x", labels: { [key]: "" } }),
    call("POST", "/v1/tasks", { name: "x", labels: { key } }),
    call("POST", "/v1/import", { tasks: [{ key, name: "x" }] }),
    call("POST", "/v1/import", { tasks: [{ key: "x", name: key }] }),
    call("PATCH", "/v1/manifest", { display_name: key }),
    call("GET", `/v1/triggers?cursor=${key}`),
    call("GET", `/v1/audit?result=${key}`),
    call("POST", `/v1/tasks/${key}/enable`, undefined, { "if-match": key }),
  ];
}

/** Command lines and environments of every process that the test may read. */
function processes(): string {
  const read = (path: string): string => {
    try {
      return readFileSync(path, "latin1");
    } catch {
      return "";
    }
  };
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => read(`/proc/${pid}/cmdline`) + read(`/proc/${pid}/environ`))
    .join("\n");
}

test("only creation, rotation and reveal return a key: no other answer, event, log line, row, file or process has it", async () => {
  await using dir = await tempDir("bf-");
  await writeFile(join(dir.path, "config.toml"), '[log]\nlevel = "debug"\n');
  await using daemon = await daemons.start({ dataDir: dir.path });
  await using stream = await openStream(daemon.socketPath, "/v1/events");
  const keys: string[] = [];
  const expectClean = (text: string, where: string): void => {
    for (const key of keys) {
      const secret = key.slice(13);
      for (const form of [
        secret,
        Buffer.from(secret).toString("base64").slice(2, -4),
        Buffer.from(secret).toString("hex"),
      ])
        expect(text.includes(form), `a key in ${where}`).toBe(false);
    }
  };
  const expectFilesClean = async (when: string): Promise<void> => {
    for (const file of await filesBelow(daemon.dataDir))
      expectClean((await readFile(file).catch(() => Buffer.alloc(0))).toString("latin1"), `${file} ${when}`);
  };

  const script = "sleep 3600";
  const task = { command: { kind: "shell", script }, kill_grace: "0s" };
  const made = await makeTrigger(daemon, {}, task);
  const set = await makeTriggerSet(daemon, { count: 5 });
  keys.push(made.key, ...set.keys.map(({ key }: Json) => key));
  const path = `/v1/triggers/${made.trigger.id}`;
  keys.push((await daemon.call("POST", `${path}/rotate`)).json.key);
  const key = keys.at(-1)!;
  const rotated = (await daemon.call("POST", `/v1/trigger-sets/${set.trigger_set.id}/rotate`)).json.keys;
  keys.push(...rotated.map((one: Json) => one.key));
  expect(new Set(keys).size).toBe(12);

  const answers: Answer[] = [];
  const run = await fire(daemon, key, { "Idempotency-Key": "fired" });
  answers.push(run, await fire(daemon, key, { "Idempotency-Key": "fired" }), await fire(daemon, made.key));
  await until(
    "the run",
    async () => (await daemon.call("GET", `/v1/runs/${run.json.run_id}`)).json.state === "running",
  );
  expect(processes()).toContain(`-c\0${script}`);
  expectClean(processes(), "a process");
  await expectFilesClean("while the task runs");

  for (const blunder of blunders(daemon, key)) {
    const answer = await blunder;
    expect(answer.status, answer.text).toBeGreaterThanOrEqual(400);
    answers.push(answer);
  }
  for (const read of [
    path,
    "/v1/triggers",
    "/v1/trigger-sets",
    `/v1/trigger-sets/${set.trigger_set.id}`,
    "/v1/runs",
    `/v1/runs/${run.json.run_id}`,
    "/v1/idempotency/fired",
    "/v1/audit?limit=1000",
  ])
    answers.push(await daemon.call("GET", read));
  const other = await makeTask(daemon);
  for (const [method, of, body] of [
    ["PATCH", path, { name: "renamed", target_task_id: other.id }],
    ["POST", `${path}/disable`],
    ["POST", `${path}/enable`],
    ["PATCH", `/v1/trigger-sets/${set.trigger_set.id}`, { name: "renamed" }],
    ["POST", `/v1/trigger-sets/${set.trigger_set.id}/disable`],
  ] as const)
    answers.push(await daemon.call(method, of, body));
  for (const answer of answers) expectClean(answer.text + JSON.stringify(answer.headers), `an answer: ${answer.text}`);

  expect((await daemon.call("POST", `${path}/reveal`)).json.key).toBe(key);
  await daemon.call("POST", `/v1/runs/${run.json.run_id}/cancel`);
  await endOf(daemon, run.json.run_id);
  const last = await makeTask(daemon);
  await stream.until("the last event", () => stream.frames.some(({ data }) => data.id === last.id));
  expect(stream.frames.some(({ event }) => event === "trigger")).toBe(true);
  expectClean(JSON.stringify(stream.frames), "an event");
  await expectFilesClean("at the end");
  expect(await daemon.stop()).toBe(0);
  expectClean(daemon.output(), "what the daemon printed");
  await expectFilesClean("after the stop");
});

test("an acknowledged fire survives a kill, and so do its count and the rotated key", async () => {
  await using daemon = await daemons.start();
  const { trigger } = await makeTrigger(daemon, {}, { concurrency: { limit: 5 } });
  const { key } = (await daemon.call("POST", `/v1/triggers/${trigger.id}/rotate`)).json;
  const fired = await Promise.all(Array.from({ length: 20 }, () => fire(daemon, key)));
  await daemon.kill();
  await using next = await daemons.start({ dataDir: daemon.dataDir });
  expect((await next.call("GET", `/v1/triggers/${trigger.id}`)).json.fire_count).toBe(20);
  for (const { json } of fired) {
    const run = await endOf(next, json.run_id);
    expect(run).toMatchObject({ source_trigger_id: trigger.id, state: "succeeded" });
  }
  expect((await next.call("POST", `/v1/triggers/${trigger.id}/reveal`)).json.key).toBe(key);
});
