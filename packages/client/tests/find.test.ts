import { expect, test } from "vitest";
import { startDaemon } from "../../server/tests/support/harness.ts";
import { connectLocal } from "../src/local.ts";

test("a task is found by its exact name, or by the path of its group", async () => {
  await using daemon = await startDaemon();
  const { tasks, groups } = connectLocal({ socketPath: daemon.socketPath });
  const group = await groups.create({ name: "Backups" });
  const grouped = await tasks.create({ name: "Nightly", group_id: group.id });
  const alone = await tasks.create({ name: "Nightly report" });
  const slashed = await tasks.create({ name: "a/b" });

  expect(await tasks.find("Nightly")).toEqual(grouped);
  expect(await tasks.find("Backups/Nightly")).toEqual(grouped);
  expect(await tasks.find("/Nightly report")).toEqual(alone);
  expect(await tasks.find("a/b")).toEqual(slashed);
  for (const name of ["nightly", "Night", "Nightly ", "/Nightly", "Other/Nightly", "", "/", "x".repeat(300)])
    expect(await tasks.find(name)).toBeNull();
});

test("a name that several groups have is refused, with the path of each task", async () => {
  await using daemon = await startDaemon();
  const { tasks, groups } = connectLocal({ socketPath: daemon.socketPath });
  const group = await groups.create({ name: "Backups" });
  const grouped = await tasks.create({ name: "Nightly", group_id: group.id });
  const alone = await tasks.create({ name: "Nightly" });
  await expect(tasks.find("Nightly")).rejects.toThrow(
    `The name is ambiguous: use /Nightly (${alone.id}) or Backups/Nightly (${grouped.id}).`,
  );
  expect(await tasks.find("/Nightly")).toEqual(alone);
});

test("every resource with a name of its own is found by it", async () => {
  await using daemon = await startDaemon();
  const client = connectLocal({ socketPath: daemon.socketPath });
  const task = await client.tasks.create({ name: "Job", command: { kind: "shell", script: "true" } });
  const name = "The one";
  const target = { name, target_task_id: task.id };
  await client.groups.create({ name });
  await client.triggers.create(target);
  await client.triggerSets.create({ ...target, count: 1 });
  await client.watchers.create({ ...target, kind: "directory", path: "/srv/inbox" });
  await client.notificationChannels.create({ name, endpoint: "https://hooks.example.com/1" });
  await client.actors.create({ name, capability: "observe" });
  const { groups, triggers, triggerSets, watchers, notificationChannels, actors } = client;
  for (const api of [groups, triggers, triggerSets, watchers, notificationChannels, actors]) {
    expect((await api.find(name))?.name).toBe(name);
    expect(await api.find("The")).toBeNull();
  }
});
