import { expect, test } from "vitest";
import { startDaemon } from "../support/harness.ts";
import { endOf, makeTask, makeTrigger, makeTriggerSet, muchLater } from "../support/api.ts";
import { expectRefusal } from "../support/call.ts";
import { openTestApplication } from "../support/application.ts";
import { fire, getTrigger } from "../support/triggers.ts";

test("triggers and sets outlive their task: they keep its last name, refuse every fire, and accept another task", async () => {
  await using daemon = await openTestApplication({ canRun: true });
  const task = await makeTask(daemon, { name: "First name" });
  const body = { target_task_id: task.id };
  const made = (await daemon.call("POST", "/v1/triggers", { name: "t", ...body })).json;
  const { trigger_set: set, keys } = (await daemon.call("POST", "/v1/trigger-sets", { name: "s", count: 2, ...body }))
    .json;
  await daemon.call("PATCH", `/v1/tasks/${task.id}`, { name: "Last name" });
  expect((await getTrigger(daemon, made.trigger.id)).target_task_name).toBe("Last name");
  expect((await daemon.call("DELETE", `/v1/tasks/${task.id}`)).status).toBe(204);

  const orphan = {
    target_task_id: task.id,
    target_task_name: "Last name",
    readiness: "not_ready",
    reason: "target_missing",
    revision: 1,
  };
  expect(await getTrigger(daemon, made.trigger.id)).toEqual({ ...made.trigger, ...orphan });
  const after = (await daemon.call("GET", `/v1/trigger-sets/${set.id}`)).json;
  expect(after).toMatchObject({ target_task_id: task.id, target_task_name: "Last name", revision: 1 });
  for (const member of after.members) expect(member).toMatchObject(orphan);
  for (const key of [made.key, keys[0].key, keys[1].key])
    expectRefusal(await fire(daemon, key), "trigger_target_missing", null);
  expect((await daemon.call("GET", `/v1/triggers?target_task_id=${task.id}`)).json.triggers).toHaveLength(3);

  // everything except a fire works as before
  for (const verb of ["disable", "enable", "rotate", "reveal"]) {
    expect((await daemon.call("POST", `/v1/triggers/${made.trigger.id}/${verb}`)).status, verb).toBe(200);
    expect((await daemon.call("POST", `/v1/trigger-sets/${set.id}/${verb}`)).status, verb).toBe(200);
  }
  expectRefusal(
    await daemon.call("PATCH", `/v1/triggers/${made.trigger.id}`, { target_task_id: task.id }),
    "not_found",
    "target_task_id",
  );
  const next = await makeTask(daemon, { name: "Last name" });
  for (const path of [`/v1/triggers/${made.trigger.id}`, `/v1/trigger-sets/${set.id}`])
    expect((await daemon.call("PATCH", path, { target_task_id: next.id })).json.target_task_id).toBe(next.id);
  const { key } = (await daemon.call("POST", `/v1/triggers/${made.trigger.id}/reveal`)).json;
  expect((await fire(daemon, key)).json.task_id).toBe(next.id);
});

test("a task with a waiting or running fired run is not deleted, and its trigger stays unchanged", async () => {
  await using daemon = await startDaemon();
  const { trigger, key } = await makeTrigger(
    daemon,
    {},
    { command: { kind: "shell", script: "sleep 3600" }, kill_grace: "0s" },
  );
  const { run_id } = (await fire(daemon, key)).json;
  const path = `/v1/tasks/${trigger.target_task_id}`;
  expectRefusal(await daemon.call("DELETE", path), "conflict", null);
  expect((await getTrigger(daemon, trigger.id)).reason).toBe("ready");
  await daemon.call("POST", `/v1/runs/${run_id}/cancel`);
  await endOf(daemon, run_id);
  expect((await daemon.call("DELETE", path)).status).toBe(204);
  expect((await daemon.call("GET", `/v1/runs/${run_id}`)).json.source_trigger_id).toBe(trigger.id);
});

test("a fired run continues when its trigger or set is disabled, rotated or deleted", async () => {
  await using daemon = await openTestApplication({ canRun: true });
  const { trigger_set: set, keys } = await makeTriggerSet(daemon, {}, { concurrency: { limit: 1 } });
  await daemon.call("POST", `/v1/tasks/${set.target_task_id}/run`, { scheduled_for: muchLater });
  const fired = await Promise.all(keys.map(({ key }: { key: string }) => fire(daemon, key)));
  expect((await daemon.call("DELETE", `/v1/trigger-sets/${set.id}`)).status).toBe(204);
  for (const { json } of fired)
    expect(await endOf(daemon, json.run_id)).toMatchObject({ state: "succeeded", source_trigger_id: json.trigger_id });
});

test("a trigger may be created for a task that cannot run yet, and fires once it can", async () => {
  await using daemon = await openTestApplication({ canRun: true });
  const { trigger, key } = await makeTrigger(daemon, {}, { command: null });
  expect(trigger).toMatchObject({ readiness: "not_ready", reason: "command_incomplete" });
  await daemon.call("PATCH", `/v1/tasks/${trigger.target_task_id}`, { command: { kind: "exec", program: "true" } });
  expect((await fire(daemon, key)).status).toBe(202);
});
