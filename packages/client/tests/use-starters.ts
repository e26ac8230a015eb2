import { expect } from "vitest";
import { type Client, NotFoundError, TriggerFireError } from "../src/index.ts";
import { endOf } from "./run-end.ts";

export async function useTriggers(client: Client): Promise<void> {
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

export async function useTriggerSets(client: Client): Promise<void> {
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

export async function useChains(client: Client): Promise<void> {
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

export async function useWatchers(client: Client): Promise<void> {
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
