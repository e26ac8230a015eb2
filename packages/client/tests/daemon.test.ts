import { catalogue, type ErrorCode, errorStatus, parseInvitation } from "@belfry/contract";
import { tempDir, until } from "@belfry/test-kit";
import { writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startWithFireSocket } from "../../server/tests/support/fire-socket.ts";
import { enableRemote, makeCredential, makeTrigger } from "../../server/tests/support/api.ts";
import { freePlace } from "../../server/tests/support/ports.ts";
import { startReceiver } from "../../server/tests/support/receiver.ts";
import { type Harness, startDaemon } from "../../server/tests/support/harness.ts";
import {
  type Client,
  createClient,
  type ImportRequest,
  isApiError,
  isUncertainOutcomeError,
  NotFoundError,
  type OutputItem,
  type Run,
  TriggerFireError,
} from "../src/index.ts";
import { connectLocal, localTransport } from "../src/local.ts";

const connectTo = (daemon: Harness, hooks = {}) =>
  connectLocal({ socketPath: daemon.socketPath, delayMs: () => 10, hooks });

describe("over a real daemon", () => {
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
});

describe("the daemon's errors have their classes", () => {
  const huge = "x".repeat(2_000_000);
  const provoke: Partial<Readonly<Record<ErrorCode, (client: Client, daemon: Harness) => PromiseLike<unknown>>>> = {
    validation_failed: (client) => client.tasks.create({ name: " " }),
    origin_rejected: (client) => client.health.get({ headers: { origin: "https://example.org" } }),
    not_found: (client) => client.tasks.get("tsk_00000000000000000000"),
    method_not_allowed: (_, daemon) => overPut(daemon).health.get(),
    conflict: (client) => client.manifest.reset("ins_00000000000000000000"),
    precondition_failed: (client) => client.manifest.update({ display_name: "A" }, { ifMatch: 99 }),
    payload_too_large: (client) => client.tasks.create({ name: "A", description: huge }),
    unsupported_media_type: (client) =>
      client.tasks.create({ name: "A" }, { headers: { "content-type": "text/plain" } }),
    trigger_unknown: (client) => client.triggers.fire(`bfk_${"0".repeat(8)}_${"0".repeat(32)}`),
    headers_too_large: (client) => client.health.get({ headers: { "x-long": "x".repeat(100_000) } }),
  };

  test.each(Object.keys(provoke) as ErrorCode[])("%s", async (code) => {
    await using daemon = await startDaemon();
    const error: unknown = await provoke[code]!(connectTo(daemon), daemon).then(null, (reason: unknown) => reason);
    if (!isApiError(error, code)) throw new Error("unexpected error", { cause: error });
    expect(error.status).toBe(errorStatus[code]);
    expect(error.requestId).toMatch(/^req_/);
  });
});

test("the request id finds a call in the audit trail, accepted or rejected", async () => {
  await using daemon = await startDaemon();
  const client = connectTo(daemon);
  const { requestId } = await client.tasks.create({ name: "A" }).withResponse();
  const error: unknown = await client.tasks.create({ name: " " }).then(null, (reason: unknown) => reason);
  if (!isApiError(error)) throw new Error("unexpected error", { cause: error });
  expect((await client.audit.list()).audit_events).toMatchObject([
    { request_id: error.requestId, result: "failed", error_code: "validation_failed" },
    { request_id: requestId, result: "allowed" },
  ]);
});

async function useHousekeeping(client: Client, daemon: Harness): Promise<void> {
  expect(await client.health.get()).toEqual({ status: "ok" });
  expect((await client.openapi.get()).openapi).toBe("3.1.0");
  expect((await client.runtimeInfo.get()).data_dir).toBe(daemon.dataDir);
  const { data: manifest, response } = await client.manifest.get().withResponse();
  expect(response.headers.get("etag")).toBe(`"${manifest.revision}"`);
  const renamed = await client.manifest.update({ display_name: "Attic" }, { ifMatch: manifest.revision });
  const reset = await client.manifest.reset(renamed.installation_id);
  expect(reset).toMatchObject({ display_name: "Attic", operating_mode: "local_only" });
  expect(reset.installation_id).not.toBe(manifest.installation_id);
}

async function useGroups(client: Client): Promise<void> {
  const group = await client.groups.create({ name: "Backups", environment: { LEVEL: "1" } });
  expect(group.environment_names).toEqual(["LEVEL"]);
  expect(await client.holds.place({ group_id: group.id, reason: "Upgrade" })).toMatchObject({ cause: "requested" });
  expect((await client.holds.list()).holds.map(({ group_name }) => group_name)).toEqual(["Backups"]);
  expect((await client.holds.release({ group_id: group.id })).reason).toBe("Upgrade");
  expect((await client.groups.disable(group.id)).enabled).toBe(false);
  expect((await client.groups.enable(group.id)).enabled).toBe(true);
  expect((await client.groups.update(group.id, { max_concurrent_runs: 2 })).max_concurrent_runs).toBe(2);
  expect((await client.groups.list({ q: "back" })).groups.map(({ id }) => id)).toEqual([group.id]);
  expect((await client.groups.get(group.id)).revision).toBeGreaterThan(group.revision);
  expect(await client.groups.delete(group.id)).toBeUndefined();
  await expect(client.groups.get(group.id)).rejects.toBeInstanceOf(NotFoundError);
}

async function useTasks(client: Client): Promise<void> {
  const secret = { environment: { PASSWORD: "hunter2" }, standard_input: "yes\n" };
  const task = await client.tasks.create({ name: "Nightly", command: { kind: "shell", script: "true" }, ...secret });
  expect((await client.tasks.environment(task.id)).environment).toEqual(secret.environment);
  expect((await client.tasks.standardInput(task.id)).standard_input).toBe(secret.standard_input);
  expect((await client.tasks.update(task.id, { timeout: "90m" })).timeout).toBe("90m");
  expect((await client.tasks.disable(task.id)).reason).toBe("task_disabled");
  expect((await client.tasks.enable(task.id)).reason).toBe("ready");
  expect((await client.tasks.archive(task.id)).lifecycle).toBe("archived");
  expect((await client.tasks.restore(task.id)).lifecycle).toBe("active");
  expect((await client.tasks.why(task.id)).readiness).toBe("ready");
  for (const name of ["B", "C", "D", "E"]) await client.tasks.create({ name });
  const names: string[] = [];
  for await (const one of client.tasks.list({ limit: 2, enabled: true })) names.push(one.name);
  expect(names).toEqual(["E", "D", "C", "B", "Nightly"]);
  await client.tasks.delete(task.id, { ifMatch: (await client.tasks.get(task.id)).revision });
}

async function useSchedules(client: Client): Promise<void> {
  const task = await client.tasks.create({ name: "Hourly", command: { kind: "exec", program: "/bin/true" } });
  const schedule = await client.schedules.create({
    task_id: task.id,
    kind: "cron",
    expression: "0 3 * * *",
    time_zone: "UTC",
  });
  const preview = await client.schedules.preview({ schedule_id: schedule.id, count: 3 });
  expect(preview.occurrences.length).toBe(3);
  expect((await client.schedules.get(schedule.id)).next_run_at).toBe(preview.occurrences[0]?.instant);
  expect((await client.schedules.update(schedule.id, { expression: "0 4 * * *" })).expression).toBe("0 4 * * *");
  expect((await client.schedules.disable(schedule.id)).next_run_at).toBeNull();
  expect((await client.schedules.enable(schedule.id)).enabled).toBe(true);
  expect((await client.schedules.pause(schedule.id)).paused).toBe(true);
  expect((await client.schedules.resume(schedule.id)).paused).toBe(false);
  expect((await client.schedules.agenda({ limit: 10 })).entries[0]?.schedule_id).toBe(schedule.id);
  expect((await client.schedules.list({ task_id: task.id })).schedules.map(({ id }) => id)).toEqual([schedule.id]);
  await client.schedules.delete(schedule.id);
}

async function useChains(client: Client): Promise<void> {
  const [load, report] = [await client.tasks.create({ name: "Load" }), await client.tasks.create({ name: "Report" })];
  const chain = await client.chains.create({
    source_task_id: load.id,
    target_task_id: report.id,
    on_outcome: "success",
  });
  expect(await client.chains.get(chain.id)).toEqual(chain);
  expect((await client.chains.update(chain.id, { enabled: false, delay: "90s" })).delay).toBe("90s");
  expect((await client.chains.list({ target_task_id: report.id })).chains.map(({ id }) => id)).toEqual([chain.id]);
  expect((await client.chains.graph({ task_id: load.id })).tasks.map(({ level }) => level)).toEqual([0, 1]);
  await client.chains.delete(chain.id);
  expect((await client.chains.list()).chains).toEqual([]);
}

async function useWatchers(client: Client): Promise<void> {
  const load = await client.tasks.create({ name: "Load files" });
  const watched = { kind: "directory", path: "/missing/inbox", pattern: "*.csv" } as const;
  const watcher = await client.watchers.create({ name: "Inbox", ...watched, target_task_id: load.id });
  expect(await client.watchers.get(watcher.id)).toMatchObject(watched);
  expect((await client.watchers.update(watcher.id, { debounce: "1500ms" })).debounce).toBe("1500ms");
  expect((await client.watchers.disable(watcher.id)).health.state).toBe("stopped");
  expect((await client.watchers.enable(watcher.id)).enabled).toBe(true);
  const { filesystem_watchers: found } = await client.watchers.list({ target_task_id: load.id });
  expect(found.map(({ id }) => id)).toEqual([watcher.id]);
  await client.watchers.delete(watcher.id);
  expect((await client.watchers.list()).filesystem_watchers).toEqual([]);
}

async function useRemote(client: Client): Promise<void> {
  const place = await freePlace();
  expect(await client.remote.get()).toMatchObject({ enabled: false, certificate: null });
  const enabled = await client.remote.enable(place);
  expect(enabled).toMatchObject({ ...place, enabled: true, listening: true, problem: null });
  const renewed = await client.remote.renew();
  expect(renewed.certificate?.root_sha256).toBe(enabled.certificate?.root_sha256);
  expect(renewed.certificate?.certificate_sha256).not.toBe(enabled.certificate?.certificate_sha256);
  expect(await client.remote.disable()).toMatchObject({ ...place, enabled: false, listening: false });
}

async function useActors(client: Client, daemon: Harness): Promise<void> {
  const actor = await client.actors.create({
    name: "Board",
    capability: "observe",
    expires_at: "2999-01-01T00:00:00Z",
  });
  expect(actor).toMatchObject({ kind: "remote", state: "active", built_in: false, last_seen_at: null });
  expect(await client.actors.get(actor.id)).toEqual(actor);
  expect(await client.actors.update(actor.id, { state: "disabled", expires_at: null })).toMatchObject({
    state: "disabled",
    expires_at: null,
  });
  expect((await client.actors.list({ state: "disabled" })).actors.map(({ id }) => id)).toEqual([actor.id]);
  expect((await client.actors.revoke(actor.id)).state).toBe("revoked");
  await expect(client.actors.update(actor.id, { name: "x" })).rejects.toMatchObject({ name: "ConflictError" });
  const { id, actor_id } = await makeCredential(daemon);
  const { credentials } = await client.credentials.list(actor_id);
  expect(credentials).toEqual([await client.credentials.get(id)]);
  expect((await client.credentials.revoke(id)).state).toBe("revoked");
}

async function usePairings(client: Client, daemon: Harness): Promise<void> {
  const { id: actor_id } = await client.actors.create({ name: "Laptop", capability: "operate" });
  await enableRemote(daemon);
  const { pairing_id, invitation } = await client.pairings.create({ actor_id, kind: "desktop" });
  expect(parseInvitation(invitation)).toMatchObject({ pairingId: pairing_id });
  const pairing = await client.pairings.get(pairing_id);
  expect(pairing).toMatchObject({ actor_id, kind: "desktop", state: "open", tries_left: 5 });
  expect((await client.pairings.list({ state: "open" })).pairings).toEqual([pairing]);
  await client.pairings.delete(pairing_id);
  await expect(client.pairings.get(pairing_id)).rejects.toMatchObject({ name: "NotFoundError" });
  expect(await client.access.current()).toMatchObject({
    actor_name: "local",
    credential_id: null,
    capability: "enroll",
  });
}

async function useRuns(client: Client): Promise<void> {
  const script = "echo out; echo err >&2";
  const task = await client.tasks.create({ name: "Talk", command: { kind: "shell", script } });
  const run = await client.tasks.run(task.id);
  const items: OutputItem[] = [];
  for await (const item of client.runs.output(run.id, { follow: true })) items.push(item);
  expect([textOf(items, "stdout"), textOf(items, "stderr")]).toEqual(["out\n", "err\n"]);
  expect(await client.runs.outputText(run.id)).toBe("out\n");
  expect(await client.runs.outputBytes(run.id, { stream: "stderr", offset: 1 })).toEqual(
    new TextEncoder().encode("rr\n"),
  );
  expect(await endOf(client, run)).toMatchObject({ state: "succeeded", exit_code: 0 });
  const { attempts } = await client.runs.attempts(run.id);
  expect(attempts).toMatchObject([{ number: 1, reason: "exit_code", exit_code: 0, output: { stdout_bytes: 4 } }]);
  const period = { from: run.queued_at, until: new Date(Date.parse(run.queued_at) + 60_000).toISOString() };
  const { rows } = await client.timeline.get({ ...period, task_ids: task.id });
  expect(rows).toMatchObject([{ name: "Talk", past: { kind: "runs", runs: [{ id: run.id, state: "succeeded" }] } }]);
  const later = await client.tasks.run(task.id, { scheduled_for: "2999-01-01T00:00:00Z" });
  expect((await client.runs.cancel(later.id)).state).toBe("cancelled");
  const again = await client.runs.rerun(run.id, { idempotencyKey: "again" });
  expect((await client.runs.rerun(run.id, { idempotencyKey: "again" })).id).toBe(again.id);
  expect(await client.idempotency.get("again")).toMatchObject({
    used: true,
    operation: "runs.rerun",
    resource_id: again.id,
  });
  await endOf(client, again);
  expect((await client.runs.list({ task_id: task.id, outcome: "success" })).runs.length).toBe(2);
}

async function useTriggers(client: Client): Promise<void> {
  const task = await client.tasks.create({ name: "Fired", command: { kind: "exec", program: "true" } });
  const other = await client.tasks.create({ name: "Other", command: { kind: "exec", program: "true" } });
  const { trigger, key } = await client.triggers.create({ name: "Deploy", target_task_id: task.id });
  const fired = await client.triggers.fire(key, { idempotencyKey: "fire" });
  expect(await client.triggers.fire(key, { idempotencyKey: "fire" })).toMatchObject({ run_id: fired.run_id });
  await endOf(client, await client.runs.get(fired.run_id));
  expect(await client.triggers.get(trigger.id)).toMatchObject({ fire_count: 1, revision: 1, readiness: "ready" });
  const disabled = await client.triggers.disable(trigger.id, { ifMatch: 1 });
  expect(disabled.reason).toBe("trigger_disabled");
  const rejected: unknown = await client.triggers.fire(key).then(null, (error: unknown) => error);
  if (!(rejected instanceof TriggerFireError)) throw new Error("unexpected error", { cause: rejected });
  expect(rejected.code).toBe("trigger_disabled");
  await client.triggers.enable(trigger.id);
  const rotated = await client.triggers.rotate(trigger.id);
  expect(rotated.key).not.toBe(key);
  expect((await client.triggers.reveal(trigger.id)).key).toBe(rotated.key);
  expect((await client.triggers.update(trigger.id, { target_task_id: other.id })).target_task_name).toBe("Other");
  expect((await client.triggers.list({ target_task_id: other.id })).triggers.map(({ id }) => id)).toEqual([trigger.id]);
  expect(await client.triggers.delete(trigger.id)).toBeUndefined();
  await expect(client.triggers.get(trigger.id)).rejects.toBeInstanceOf(NotFoundError);
}

async function useTriggerSets(client: Client): Promise<void> {
  const task = await client.tasks.create({ name: "Of a set", command: { kind: "exec", program: "true" } });
  const made = await client.triggerSets.create({
    name: "Agents",
    target_task_id: task.id,
    member_names: ["ada", "bob"],
  });
  const { id } = made.trigger_set;
  expect(made.keys.map(({ position }) => position)).toEqual([1, 2]);
  expect((await client.triggerSets.disable(id)).enabled_count).toBe(0);
  expect((await client.triggerSets.enable(id)).enabled_count).toBe(2);
  const rotated = await client.triggerSets.rotate(id);
  expect((await client.triggerSets.reveal(id)).keys).toEqual(rotated.keys);
  expect((await client.triggerSets.update(id, { name: "Builders" })).members[1]).toMatchObject({
    name: "bob",
    set_id: id,
    set_name: "Builders",
    set_position: 2,
  });
  expect((await client.triggerSets.list({ q: "build" })).trigger_sets).toEqual([await client.triggerSets.get(id)]);
  expect(await client.triggerSets.delete(id)).toBeUndefined();
}

async function useNotifications(client: Client): Promise<void> {
  const { notificationChannels: channels, notificationAssignments: assignments, notificationDeliveries } = client;
  await using receiver = await startReceiver();
  const channel = await channels.create({ name: "On call", endpoint: receiver.url, authorization: "Bearer x" });
  expect(channel).toMatchObject({ endpoint_summary: receiver.origin, has_authorization: true, enabled: true });
  expect((await channels.rotate(channel.id, { authorization: null })).has_authorization).toBe(false);
  expect((await channels.update(channel.id, { name: "Day shift" })).name).toBe("Day shift");
  expect((await channels.list({ q: "day" })).notification_channels.map(({ id }) => id)).toEqual([channel.id]);
  expect((await channels.disable(channel.id)).enabled).toBe(false);
  expect((await channels.enable(channel.id)).enabled).toBe(true);
  expect((await channels.get(channel.id)).revision).toBeGreaterThan(channel.revision);

  const group = await client.groups.create({ name: "Notified" });
  const task = await client.tasks.create({ name: "Notified", group_id: group.id });
  const assignment = { channel_id: channel.id, on_success: true, on_failure: false };
  expect((await assignments.replaceOfGroup(group.id, { assignments: [assignment] })).revision).toBe(2);
  expect((await assignments.ofGroup(group.id)).assignments).toEqual([assignment]);
  expect((await assignments.effective(task.id)).source).toEqual({ scope: "group", id: group.id, name: "Notified" });
  expect((await assignments.replaceOfTask(task.id, { assignments: [] })).assignments).toEqual([]);
  expect((await assignments.ofTask(task.id)).revision).toBe(1);

  const sent = await channels.test(channel.id);
  const ended = await until("the end of the test", async () => {
    const now = await notificationDeliveries.get(sent.id);
    return now.ended_at === null ? null : now;
  });
  expect([ended.state, ended.last_status]).toEqual(["succeeded", 204]);
  const again = await notificationDeliveries.redeliver(sent.id);
  expect(again.redelivery_of).toBe(sent.id);
  const failed = await notificationDeliveries.redeliverFailed({ since: sent.created_at, channel_id: channel.id });
  expect(failed).toMatchObject({ channel_id: channel.id, deliveries: [], left_out: [] });
  const listed = await notificationDeliveries.list({ channel_id: channel.id });
  expect(listed.notification_deliveries.map(({ id }) => id).toSorted()).toEqual([sent.id, again.id].toSorted());
  expect(await channels.delete(channel.id)).toBeUndefined();
}

async function useImport(client: Client): Promise<void> {
  const request: ImportRequest = {
    groups: [{ key: "g", name: "Imported" }],
    tasks: [{ key: "t", group_key: "g", name: "One", command: { kind: "shell", script: "true" } }],
    schedules: [{ key: "s", task_key: "t", kind: "interval", every: "1h" }],
  };
  expect((await client.import.create({ ...request, dry_run: true })).dry_run).toBe(true);
  const made = await client.import.create(request);
  expect(await client.import.get(made.id)).toEqual(made);
  expect((await client.tasks.get(made.tasks[0]!.id)).group_name).toBe("Imported");
}

function endOf(client: Client, run: Run): Promise<Run> {
  return until("the run has ended", async () => {
    const now = await client.runs.get(run.id);
    return now.ended_at === null ? null : now;
  });
}

function textOf(items: readonly OutputItem[], stream: "stdout" | "stderr"): string {
  return Buffer.concat(
    items.flatMap((item) => (item.kind === "output" && item.stream === stream ? [item.bytes] : [])),
  ).toString();
}

function isRequestOf(operation: (typeof catalogue)[number], request: string): boolean {
  const pattern = operation.path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+");
  return new RegExp(`^${operation.method.toUpperCase()} /v1${pattern}$`).test(request);
}

/** A client whose requests have a method that no path supports. */
function overPut(daemon: Harness): Client {
  const { baseUrl, fetch } = localTransport(daemon.socketPath);
  return createClient({ transport: { baseUrl, fetch: ({ url }) => fetch(new Request(url, { method: "PUT" })) } });
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
