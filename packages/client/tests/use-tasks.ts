import { expect } from "vitest";
import { type Client, type ImportRequest, NotFoundError, type OutputItem } from "../src/index.ts";
import { endOf, textOf } from "./run-end.ts";

export async function useGroups(client: Client): Promise<void> {
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

export async function useTasks(client: Client): Promise<void> {
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

export async function useSchedules(client: Client): Promise<void> {
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

export async function useRuns(client: Client): Promise<void> {
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
  expect(await client.runs.failures({ since: run.queued_at })).toEqual({ tasks: [], task_count: 0 });
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

export async function useImport(client: Client): Promise<void> {
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
