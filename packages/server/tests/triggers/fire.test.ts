import { ManualClock } from "@belfry/test-kit";
import { errorStatus, type TriggerFireCode } from "@belfry/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Harness, type Json, startDaemon } from "../support/harness.ts";
import { auditRowsOf, endOf, fillQueue, makeGroup, makeTask, makeTrigger, query } from "../support/api.ts";
import { expectRefusal } from "../support/call.ts";
import { openTestApplication } from "../support/application.ts";
import { untilState, waitFor } from "../support/tasks.ts";
import { countRuns, fire, getTrigger, rowOf } from "../support/triggers.ts";

let daemon: Harness;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon?.[Symbol.asyncDispose]());

test("a fire makes one run of the trigger's task, and the run names its trigger", async () => {
  const made = await makeTrigger(daemon);
  const answer = await fire(daemon, made.key);
  expect(answer.status).toBe(202);
  expect(answer.json).toEqual({
    run_id: expect.stringMatching(/^run_/),
    task_id: made.trigger.target_task_id,
    trigger_id: made.trigger.id,
    state: "queued",
  });
  const run = await endOf(daemon, answer.json.run_id);
  expect(run).toMatchObject({
    state: "succeeded",
    trigger: "external_trigger",
    source_trigger_id: made.trigger.id,
    task_id: made.trigger.target_task_id,
  });
  expect(run.scheduled_for).toBe(run.queued_at);
  expect((await daemon.call("GET", "/v1/runs?trigger=external_trigger")).json.runs[0].id).toBe(run.id);
});

test("the task's environment says that an external trigger started it", async () => {
  const script = 'echo "$BELFRY_TRIGGER $BELFRY_RUN_ID"';
  const { key } = await makeTrigger(daemon, {}, { command: { kind: "shell", script } });
  const { run_id } = (await fire(daemon, key)).json;
  await endOf(daemon, run_id);
  expect((await daemon.call("GET", `/v1/runs/${run_id}/output`)).text).toBe(`external_trigger ${run_id}\n`);
});

test("fires are counted, and change neither the revision nor the time of the last change", async () => {
  const { trigger, key } = await makeTrigger(daemon, {}, { concurrency: { limit: 5 } });
  expect(trigger).toMatchObject({ fire_count: 0, last_fired_at: null, revision: 1 });
  for (let count = 1; count <= 3; count++) {
    const { json } = await fire(daemon, key);
    const now = await getTrigger(daemon, trigger.id);
    const run = (await daemon.call("GET", `/v1/runs/${json.run_id}`)).json;
    expect(now).toEqual({ ...trigger, fire_count: count, last_fired_at: run.queued_at });
  }
});

test("the trail names the fired trigger, and no member of the request", async () => {
  const { trigger, key } = await makeTrigger(daemon);
  const row = { operation: "triggers.fire", resource_type: "trigger", resource_id: trigger.id };
  expect(auditRowsOf(daemon, await fire(daemon, key))).toEqual([
    expect.objectContaining({ ...row, result: "allowed", changed_fields_json: "[]" }),
  ]);
  await daemon.call("POST", `/v1/triggers/${trigger.id}/disable`);
  expect(auditRowsOf(daemon, await fire(daemon, key))).toEqual([
    expect.objectContaining({ ...row, result: "failed", error_code: "trigger_disabled" }),
  ]);
});

interface Obstacle {
  readonly reason: string;
  readonly code: TriggerFireCode;
  readonly task?: () => Promise<object> | object;
  readonly arrange?: (made: Json) => Promise<unknown>;
}

const target = (made: Json): string => `/v1/tasks/${made.trigger.target_task_id}`;
const obstacles: readonly Obstacle[] = [
  {
    reason: "trigger_disabled",
    code: "trigger_disabled",
    arrange: ({ trigger }) => daemon.call("POST", `/v1/triggers/${trigger.id}/disable`),
  },
  {
    reason: "target_missing",
    code: "trigger_target_missing",
    arrange: (made) => daemon.call("DELETE", target(made)),
  },
  { reason: "command_incomplete", code: "trigger_command_incomplete", task: () => ({ command: null }) },
  {
    reason: "task_inactive",
    code: "trigger_task_inactive",
    arrange: (made) => daemon.call("POST", `${target(made)}/archive`),
  },
  {
    reason: "task_disabled",
    code: "trigger_task_disabled",
    arrange: (made) => daemon.call("POST", `${target(made)}/disable`),
  },
  {
    reason: "group_blocked",
    code: "trigger_group_blocked",
    task: async () => {
      const above = await makeGroup(daemon, { enabled: false });
      return { group_id: (await makeGroup(daemon, { parent_id: above.id })).id };
    },
  },
  {
    reason: "dispatch_unavailable",
    code: "trigger_dispatch_unavailable",
    arrange: ({ trigger }) => fillQueue(daemon, trigger.target_task_id),
  },
];

describe("an obstacle is the trigger's readiness reason, and a fire fails with its code and leaves no trace", () => {
  test.each(obstacles)("$reason", async ({ reason, code, task, arrange }) => {
    const made = await makeTrigger(daemon, {}, await task?.());
    await arrange?.(made);
    const { trigger, key } = made;
    expect(await getTrigger(daemon, trigger.id)).toMatchObject({ readiness: "not_ready", reason, fire_count: 0 });
    const before = rowOf(daemon, trigger.id);
    const answer = await fire(daemon, key);
    expectRefusal(answer, code, null);
    expect(answer.status).toBe(errorStatus[code]);
    expect([countRuns(daemon, trigger.id), rowOf(daemon, trigger.id)]).toEqual([0, before]);
  });
});

test("of several obstacles the first in the contract's order is reported", async () => {
  const blocked = await makeGroup(daemon, { enabled: false });
  const made = await makeTrigger(daemon, { enabled: false }, { group_id: blocked.id, enabled: false, command: null });
  const { key, trigger } = made;
  const code = async (): Promise<string> => (await fire(daemon, key)).json.error?.code ?? "fired";
  expect(await code()).toBe("trigger_disabled");
  await daemon.call("POST", `/v1/triggers/${trigger.id}/enable`);
  expect(await code()).toBe("trigger_command_incomplete");
  await daemon.call("PATCH", target(made), { command: { kind: "exec", program: "true" } });
  await daemon.call("POST", `${target(made)}/archive`);
  expect(await code()).toBe("trigger_task_inactive");
  await daemon.call("POST", `${target(made)}/restore`);
  expect(await code()).toBe("trigger_task_disabled");
  await daemon.call("POST", `${target(made)}/enable`);
  expect(await code()).toBe("trigger_group_blocked");
  await daemon.call("POST", `/v1/groups/${blocked.id}/enable`);
  expect(await code()).toBe("fired");
});

test("every unknown key gets the same error, whatever its form", async () => {
  const { key } = await makeTrigger(daemon);
  for (const wrong of [`bfk_${"0".repeat(8)}_${"0".repeat(32)}`, key.slice(0, -1), `${key} `, key.toLowerCase(), "x"]) {
    const answer = await fire(daemon, wrong);
    expectRefusal(answer, "trigger_unknown", "key");
    expect(answer.text).not.toContain(wrong.slice(13, 40) || "nothing");
  }
  expectRefusal(await daemon.call("POST", "/v1/triggers/fire", { key: "" }), "validation_failed", "key");
  expectRefusal(await daemon.call("POST", "/v1/triggers/fire", { key: 7 }), "validation_failed", "key");
  expectRefusal(await daemon.call("POST", "/v1/triggers/fire", {}), "validation_failed", "key");
});

test("a fire is refused without a connected runner, and from the start of a stop", async () => {
  await using without = await openTestApplication();
  const unready = await makeTrigger(without);
  expectRefusal(await fire(without, unready.key), "trigger_dispatch_unavailable", null);
  expect(countRuns(without, unready.trigger.id)).toBe(0);

  await using app = await openTestApplication({ canRun: true });
  const { key, trigger } = await makeTrigger(app);
  expect((await fire(app, key)).status).toBe(202);
  await app.stopEngine();
  expectRefusal(await fire(app, key), "trigger_dispatch_unavailable", null);
  expect([countRuns(app, trigger.id), (await getTrigger(app, trigger.id)).reason]).toEqual([1, "dispatch_unavailable"]);
});

test("the last place in a queue is given once, for any number of concurrent fires", async () => {
  await using app = await openTestApplication({ canRun: true });
  const made = await makeTrigger(app, {}, { command: { kind: "shell", script: "sleep 3600" }, kill_grace: "0s" });
  const taskId = made.trigger.target_task_id as string;
  const running = await app.call("POST", `/v1/tasks/${taskId}/run`);
  await untilState(app, running.json, "running");
  await fillQueue(app, taskId, 1);
  const answers = await Promise.all(Array.from({ length: 20 }, () => fire(app, made.key)));
  const accepted = answers.filter(({ status }) => status === 202);
  const [queued] = query<{ n: number }>(app, "SELECT count(*) AS n FROM runs WHERE state = 'queued'");
  expect(queued!.n).toBe(1_000);
  expect([accepted.length, countRuns(app, made.trigger.id)]).toEqual([1, 1]);
  for (const answer of answers.filter(({ status }) => status !== 202))
    expectRefusal(answer, "trigger_dispatch_unavailable", null);
});

test("a fire that would overlap is accepted, and its answer reports that the run was skipped", async () => {
  const task = {
    command: { kind: "shell", script: waitFor(`${daemon.dataDir}/overlap`) },
    concurrency: { limit: 1, on_conflict: "skip" },
    kill_grace: "0s",
  };
  const { key, trigger } = await makeTrigger(daemon, {}, task);
  const first = await fire(daemon, key);
  expect(first.json.state).toBe("queued");
  const second = await fire(daemon, key);
  expect([second.status, second.json.state]).toEqual([202, "skipped"]);
  expect((await daemon.call("GET", `/v1/runs/${second.json.run_id}`)).json).toMatchObject({
    state: "skipped",
    reason: "overlap",
    trigger: "external_trigger",
    source_trigger_id: trigger.id,
  });
  expect((await getTrigger(daemon, trigger.id)).fire_count).toBe(2);
  await daemon.call("POST", `/v1/runs/${first.json.run_id}/cancel`);
});

test("a fire after the clock was set back is one run, at the clock's time", async () => {
  const clock = new ManualClock("2026-06-01T00:00:00Z");
  await using app = await openTestApplication({ canRun: true, clock });
  const { key, trigger } = await makeTrigger(app);
  await fire(app, key);
  clock.jump(-86_400_000);
  expect((await fire(app, key)).status).toBe(202);
  expect(await getTrigger(app, trigger.id)).toMatchObject({
    fire_count: 2,
    last_fired_at: "2026-05-31T00:00:00.000Z",
  });
});

test("each run of a task with several triggers names its own trigger", async () => {
  const task = await makeTask(daemon, { concurrency: { limit: 3 } });
  const made = await Promise.all(
    ["one", "two"].map((name) =>
      daemon.call("POST", "/v1/triggers", { name: `${name} of many`, target_task_id: task.id }),
    ),
  );
  for (const { json } of made) {
    const { run_id } = (await fire(daemon, json.key)).json;
    expect((await endOf(daemon, run_id)).source_trigger_id).toBe(json.trigger.id);
  }
});
