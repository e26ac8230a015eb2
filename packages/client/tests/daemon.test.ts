import { catalogue } from "@belfry/contract";
import { tempDir, until } from "@belfry/test-kit";
import { writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTrigger } from "../../server/tests/support/api.ts";
import { startWithFireSocket } from "../../server/tests/support/fire-socket.ts";
import { type Harness, startDaemon } from "../../server/tests/support/harness.ts";
import { isUncertainOutcomeError, NotFoundError, type OutputItem } from "../src/index.ts";
import { connectLocal } from "../src/local.ts";
import { textOf } from "./run-end.ts";
import { useActors, useHousekeeping, useNotifications, usePairings, useRemote } from "./use-administration.ts";
import { useChains, useTriggers, useTriggerSets, useWatchers } from "./use-starters.ts";
import { useGroups, useImport, useRuns, useSchedules, useTasks } from "./use-tasks.ts";

const connectTo = (daemon: Harness, hooks = {}) =>
  connectLocal({ socketPath: daemon.socketPath, delayMs: () => 10, hooks });

test("the holder of a key fires on the socket for fires, and everything else is not found", async () => {
  await using daemon = await startWithFireSocket();
  const { key, trigger } = await makeTrigger(daemon);
  const client = connectLocal({ socketPath: daemon.path });
  const fired = await client.triggers.fire(key);
  expect(fired).toMatchObject({ trigger_id: trigger.id, state: "queued" });
  await expect(client.runs.get(fired.run_id)).rejects.toThrow(NotFoundError);
  await expect(client.triggers.fire("bfk_unknown")).rejects.toMatchObject({ code: "trigger_unknown" });
  await expect(client.triggers.rotate(trigger.id)).rejects.toThrow(NotFoundError);
});

test("every method works", async () => {
  await using daemon = await startDaemon();
  const requests: string[] = [];
  const client = connectTo(daemon, {
    beforeRequest: [
      ({ request }: { request: Request }) => void requests.push(`${request.method} ${new URL(request.url).pathname}`),
    ],
  });
  await useHousekeeping(client, daemon);
  await useGroups(client);
  await useTasks(client);
  await useSchedules(client);
  await useRuns(client);
  await useTriggers(client);
  await useTriggerSets(client);
  await useChains(client);
  await useWatchers(client);
  await useImport(client);
  await useNotifications(client);
  await useActors(client, daemon);
  await useRemote(client);
  await usePairings(client, daemon);
  const audited = await client.audit.list({ operation: "tasks.create" });
  const exported: string[] = [];
  for await (const { id } of client.audit.export({ operation: "tasks.create", limit: 1 })) exported.push(id);
  expect(exported).toEqual(audited.audit_events.map(({ id }) => id));
  const backup = await new Response(await client.backups.create()).arrayBuffer();
  expect(Buffer.from(backup).toString("latin1")).toMatch(/belfry-backup.json[^]*files.json/);
  expect(await client.audit.chain()).toMatchObject({ anchor: null, tampered_at: null });
  expect(audited.audit_events[0]).toMatchObject({ operation: "tasks.create", result: "allowed" });
  for await (const item of client.events.subscribe()) {
    expect(item).toEqual({ kind: "resync", reason: "connected" });
    break;
  }
  const local = catalogue.filter(({ transports }) => transports.some((transport) => transport === "local"));
  expect(
    local.filter((operation) => !requests.some((request) => isRequestOf(operation, request))).map(({ id }) => id),
  ).toEqual([]);
});

test("events arrive for changes, and again after a restart of the daemon", async () => {
  await using dir = await tempDir("bf-");
  await using first = await startDaemon({ dataDir: dir.path });
  const client = connectTo(first);
  const controller = new AbortController();
  const items: unknown[] = [];
  const epochs = new Set<string>();
  const reading = (async () => {
    const options = { kinds: ["task"] as const, signal: controller.signal };
    for await (const item of client.events.subscribe({
      ...options,
      onConnect: ({ epoch }) => void epochs.add(epoch),
    })) {
      items.push(
        item.kind === "task" ? `${item.verb} ${item.task?.name}` : `${item.kind} ${"reason" in item && item.reason}`,
      );
    }
  })();
  await until("the stream has started", () => items.length === 1);
  await client.tasks.create({ name: "before" });
  await until("its event", () => items.length === 2);
  await first[Symbol.asyncDispose]();
  await using second = await startDaemon({ dataDir: dir.path });
  expect(second.socketPath).toBe(first.socketPath);
  await until("the stream has started again", () => items.length === 3);
  await client.tasks.create({ name: "after" });
  await until("its event", () => items.length === 4);
  controller.abort();
  await reading;
  expect(items).toEqual(["resync connected", "created before", "resync connected", "created after"]);
  expect(epochs.size).toBe(2);
});

test("followed output is complete although the daemon is replaced meanwhile", async () => {
  await using dir = await tempDir("bf-");
  const go = join(dir.path, "go");
  const script = `echo begun; echo warned >&2; until [ -e ${go} ]; do sleep 0.05; done; echo ended`;
  await using first = await startDaemon({ dataDir: dir.path });
  const client = connectTo(first);
  const task = await client.tasks.create({ name: "Long", command: { kind: "shell", script } });
  const run = await client.tasks.run(task.id);
  const items: OutputItem[] = [];
  const reading = (async () => {
    for await (const item of client.runs.output(run.id, { follow: true })) items.push(item);
  })();
  await until("both streams have begun", () => items.length === 2);
  await first.stop();
  await using second = await startDaemon({ dataDir: dir.path });
  expect(second.socketPath).toBe(first.socketPath);
  writeFileSync(go, "");
  await reading;
  expect([textOf(items, "stdout"), textOf(items, "stderr")]).toEqual(["begun\nended\n", "warned\n"]);
  expect(items.at(-1)).toMatchObject({ kind: "end" });
});

test("a creation with a lost answer is committed, and a retry returns the same resource", async () => {
  await using daemon = await startDaemon();
  await using proxy = await lossyProxy(daemon.socketPath);
  const client = connectLocal({ socketPath: proxy.socketPath });
  const error: unknown = await client.tasks.create({ name: "Once" }).catch((reason: unknown) => reason);
  if (!isUncertainOutcomeError(error)) throw error;
  expect(await error.settle()).toBe("committed");
  proxy.stopLosing();
  const task = await error.retry();
  expect((await client.tasks.list()).tasks).toEqual([task]);
});

function isRequestOf(operation: (typeof catalogue)[number], request: string): boolean {
  const pattern = operation.path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+");
  return new RegExp(`^${operation.method.toUpperCase()} /v1${pattern}$`).test(request);
}

/** Forwards everything except the answers to POST requests; `stopLosing` forwards those too. */
async function lossyProxy(daemonPath: string) {
  const dir = await tempDir();
  const socketPath = join(dir.path, "proxy.sock");
  let isForwarding = false;
  const server = createServer((near) => {
    const far = connect(daemonPath);
    near.once("data", (chunk) => {
      if (!isForwarding && chunk.toString().startsWith("POST")) far.once("data", () => near.destroy());
      else far.pipe(near);
      far.write(chunk);
      near.pipe(far);
    });
    for (const socket of [near, far]) socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  return {
    socketPath,
    stopLosing: () => void (isForwarding = true),
    [Symbol.asyncDispose]: async () => {
      await new Promise((resolve) => server.close(resolve));
      await dir[Symbol.asyncDispose]();
    },
  };
}
