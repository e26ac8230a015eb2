import { ManualClock, tempDir, until } from "@belfry/test-kit";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startDaemon } from "../support/harness.ts";
import {
  cancel,
  getRun,
  listRuns,
  made2xx,
  makeGroup,
  makeTask,
  runOnce,
  startRun,
  untilEnd,
  untilState,
  waitFor,
} from "../support/tasks.ts";

const muchLater = { scheduled_for: "2990-01-01T00:00:00Z" };

describe("the queue", () => {
  test("holds a thousand runs of a task, even under concurrent requests, refuses the next request and skips a due time", async () => {
    const clock = new ManualClock("2026-03-01T00:00:30Z");
    await using daemon = await startDaemon({ clock });
    const task = await makeTask(daemon, ":");
    await made2xx(daemon.call("POST", "/v1/schedules", { task_id: task.id, kind: "cron", expression: "* * * * *" }));
    const statuses: number[] = [];
    for (let asked = 0; asked < 1_060; asked += 53) {
      const answers = await Promise.all(
        Array.from({ length: 53 }, () => daemon.call("POST", `/v1/tasks/${task.id}/run`, muchLater)),
      );
      statuses.push(...answers.map(({ status }) => status));
    }
    expect(statuses.filter((status) => status === 202)).toHaveLength(1_000);
    expect(statuses.filter((status) => status === 409)).toHaveLength(60);
    const refused = await daemon.call("POST", `/v1/tasks/${task.id}/run`);
    expect(refused.json.error).toMatchObject({
      code: "conflict",
      message: expect.stringContaining("dispatch_unavailable"),
    });
    expect((await daemon.call("GET", `/v1/tasks/${task.id}`)).json).toMatchObject({
      readiness: "not_ready",
      reason: "dispatch_unavailable",
    });
    await clock.advance(2 * 60_000);
    const skipped = await listRuns(daemon, `task_id=${task.id}&state=skipped`);
    expect(skipped).toMatchObject([
      { reason: "queue_full", reason_text: "was skipped: the task's queue was full", coalesced: 1 },
    ]);

    await cancel(daemon, (await listRuns(daemon, `task_id=${task.id}&state=queued&limit=1`))[0]);
    expect((await startRun(daemon, task)).state).toBe("queued");
  });

  test("a run that replaces a waiting one of its task is accepted though the queue is full", async () => {
    await using place = await tempDir();
    await using daemon = await startDaemon({ clock: new ManualClock("2026-03-01T00:00:30Z") });
    // it must stay active when it is replaced, or its slot would empty the queue by one
    const script = `trap "" TERM; ${waitFor(join(place.path, "go"))}`;
    const task = await makeTask(daemon, script, { kill_grace: "1m", concurrency: { on_conflict: "replace" } });
    const active = await startRun(daemon, task);
    await untilState(daemon, active, "running");
    for (let number = 0; number < 999; number++) await startRun(daemon, task, muchLater);
    const waiting = await startRun(daemon, task);
    expect((await daemon.call("GET", `/v1/tasks/${task.id}`)).json).toMatchObject({ readiness: "ready" });
    const newest = await startRun(daemon, task);
    expect(await getRun(daemon, waiting)).toMatchObject({ state: "skipped", reason: "replaced" });
    // another run for later would be one too many
    expect((await daemon.call("POST", `/v1/tasks/${task.id}/run`, muchLater)).status).toBe(409);
    await writeFile(join(place.path, "go"), "");
    expect(await untilEnd(daemon, newest)).toMatchObject({ state: "succeeded" });
  });

  test("a run that waits for a slot gets it, even if the clock was set back meanwhile", async () => {
    const clock = new ManualClock();
    await using place = await tempDir();
    await using daemon = await startDaemon({ clock });
    const task = await makeTask(daemon, waitFor(join(place.path, "go")));
    const [first, second] = [await startRun(daemon, task), await startRun(daemon, task)];
    await untilState(daemon, first, "running");
    clock.jump(-3_600_000);
    await writeFile(join(place.path, "go"), "");
    expect((await untilEnd(daemon, second)).state).toBe("succeeded");
  });

  test("the list of active runs has each run that uses a slot, and the list of all others has the rest", async () => {
    await using place = await tempDir();
    await using daemon = await startDaemon();
    const go = join(place.path, "go");
    const ended = await runOnce(daemon, "true");
    const task = await makeTask(daemon, waitFor(go));
    const running = await startRun(daemon, task);
    const queued = await startRun(daemon, task);
    // a shell that ignores the signal says so by a file
    const ready = join(place.path, "ready");
    const stubborn = await makeTask(daemon, `trap "" TERM; : >'${ready}'; ${waitFor(go)}`, { kill_grace: "5m" });
    const cancelling = await startRun(daemon, stubborn);
    await until("the signal is ignored", () => existsSync(ready));
    await cancel(daemon, cancelling);
    await untilState(daemon, running, "running");
    const ids = async (query: string) => (await listRuns(daemon, query)).map(({ id }) => id);
    expect(await ids("active=true")).toEqual([cancelling.id, running.id]);
    expect(await ids("active=false")).toEqual([queued.id, ended.id]);
    expect(await ids(`active=true&task_id=${task.id}`)).toEqual([running.id]);
    expect(await ids("active=true&ended=true")).toEqual([]);
    expect(await ids("active=true&limit=1")).toEqual([cancelling.id]);
    const { error } = (await daemon.call("GET", "/v1/runs?active=maybe")).json;
    expect(error).toMatchObject({ code: "validation_failed", field: "active" });
    await writeFile(go, "");
    await untilEnd(daemon, queued);
  });

  test("a run requested for a later time starts then, and not before", async () => {
    const clock = new ManualClock("2026-03-01T00:00:00Z");
    await using daemon = await startDaemon({ clock });
    const task = await makeTask(daemon, 'echo "$BELFRY_SCHEDULED_FOR"');
    const run = await startRun(daemon, task, { scheduled_for: "2026-03-01T02:00:00+01:00" });
    expect(run).toMatchObject({ state: "queued", scheduled_for: "2026-03-01T01:00:00.000Z", trigger: "manual" });
    await clock.advance(3_599_999);
    expect((await getRun(daemon, run)).state).toBe("queued");
    await clock.advance(1);
    expect((await untilEnd(daemon, run)).state).toBe("succeeded");
    expect((await daemon.call("GET", `/v1/runs/${run.id}/output`)).text).toBe("2026-03-01T01:00:00.000Z\n");
    const past = await daemon.call("POST", `/v1/tasks/${task.id}/run`, { scheduled_for: "2026-03-01T00:00:00Z" });
    expect(past.json.error).toMatchObject({ code: "validation_failed", field: "scheduled_for" });
  });

  test.each([
    ["disabled", "task_disabled", (task: { id: string }) => `/v1/tasks/${task.id}/disable`],
    ["archived", "task_inactive", (task: { id: string }) => `/v1/tasks/${task.id}/archive`],
    [
      "in a group that is disabled",
      "group_blocked",
      (task: { group_id: string }) => `/v1/groups/${task.group_id}/disable`,
    ],
  ])("a run that waits when its task is %s is skipped; a running one continues", async (_how, reason, path) => {
    await using place = await tempDir();
    await using daemon = await startDaemon();
    const group = await makeGroup(daemon);
    const task = await makeTask(daemon, waitFor(join(place.path, "go")), { group_id: group.id });
    const running = await startRun(daemon, task);
    const waiting = await startRun(daemon, task);
    await untilState(daemon, running, "running");
    await made2xx(daemon.call("POST", path(task)));
    expect(await untilEnd(daemon, waiting)).toMatchObject({
      state: "skipped",
      outcome: null,
      reason,
      attempt: 0,
      started_at: null,
    });
    const refused = await daemon.call("POST", `/v1/tasks/${task.id}/run`);
    expect(refused).toMatchObject({
      status: 409,
      json: { error: { code: "conflict", message: expect.stringContaining(reason) } },
    });
    await writeFile(join(place.path, "go"), "");
    expect((await untilEnd(daemon, running)).state).toBe("succeeded");
  });

  test("a task with a waiting or active run is not deleted; its history outlives it", async () => {
    await using place = await tempDir();
    await using daemon = await startDaemon();
    const task = await makeTask(daemon, waitFor(join(place.path, "go")));
    const remove = () => daemon.call("DELETE", `/v1/tasks/${task.id}`);
    const waiting = await startRun(daemon, task, muchLater);
    expect(await remove()).toMatchObject({ status: 409, json: { error: { code: "conflict" } } });
    await cancel(daemon, waiting);
    const running = await startRun(daemon, task);
    await untilState(daemon, running, "running");
    expect((await remove()).status).toBe(409);
    await writeFile(join(place.path, "go"), "");
    await untilEnd(daemon, running);
    expect((await remove()).status).toBe(204);
    expect(await getRun(daemon, running)).toMatchObject({ task_name: task.name, state: "succeeded" });
    expect((await daemon.call("POST", `/v1/runs/${running.id}/rerun`)).json.error.code).toBe("not_found");
  });
});

describe("a cancel", () => {
  test("of a waiting run ends it immediately, and it never starts", async () => {
    const clock = new ManualClock();
    await using daemon = await startDaemon({ clock });
    const run = await startRun(daemon, await makeTask(daemon, ":"), {
      scheduled_for: new Date(clock.now() + 1_000).toISOString(),
    });
    expect((await cancel(daemon, run)).json).toMatchObject({
      state: "cancelled",
      outcome: null,
      attempt: 0,
      started_at: null,
      duration_ms: null,
    });
    await clock.advance(2_000);
    expect(await getRun(daemon, run)).toMatchObject({ state: "cancelled", attempt: 0 });
  });

  test("sends TERM first, so that a task can clean up", async () => {
    await using daemon = await startDaemon();
    const run = await startRun(
      daemon,
      await makeTask(daemon, `trap 'echo cleared; exit 3' TERM; echo ready; while :; do sleep 0.05; done`),
    );
    await until("ready", async () => (await daemon.call("GET", `/v1/runs/${run.id}/output`)).text === "ready\n");
    expect((await cancel(daemon, run)).json.state).toBe("cancelling");
    expect(await untilEnd(daemon, run)).toMatchObject({ state: "cancelled", exit_code: 3 });
    expect((await daemon.call("GET", `/v1/runs/${run.id}/output`)).text).toBe("ready\ncleared\n");
  });

  test("that is repeated skips the grace", async () => {
    await using daemon = await startDaemon();
    const run = await startRun(
      daemon,
      await makeTask(daemon, `trap '' TERM; echo ready; while :; do sleep 0.05; done`, { kill_grace: "1h" }),
    );
    await until("ready", async () => (await daemon.call("GET", `/v1/runs/${run.id}/output`)).text === "ready\n");
    expect((await cancel(daemon, run)).json.state).toBe("cancelling");
    expect((await cancel(daemon, run)).json.state).toBe("cancelling");
    expect(await untilEnd(daemon, run)).toMatchObject({ state: "cancelled", signal: "SIGKILL" });
  });

  test("of a run that has ended is refused, and the error names its state", async () => {
    await using daemon = await startDaemon();
    const refusal = async (run: { readonly id: string }): Promise<string> => {
      const answer = await cancel(daemon, run);
      expect(answer).toMatchObject({ status: 409, json: { error: { code: "conflict" } } });
      return answer.json.error.message as string;
    };
    expect(await refusal(await runOnce(daemon, "exit 0"))).toContain("succeeded");
    expect(await refusal(await runOnce(daemon, "exit 1"))).toContain("failed");
    const cancelled = await startRun(daemon, await makeTask(daemon, ":"), muchLater);
    await cancel(daemon, cancelled);
    expect(await refusal(cancelled)).toContain("was cancelled");
  });
});

describe("a rerun", () => {
  test("is a new manual run of the same task, due now", async () => {
    await using daemon = await startDaemon();
    const former = await runOnce(daemon, 'echo "$BELFRY_TRIGGER"; exit 5');
    const answer = await daemon.call("POST", `/v1/runs/${former.id}/rerun`);
    expect(answer.status).toBe(202);
    expect(answer.json.id).not.toBe(former.id);
    expect(await untilEnd(daemon, answer.json)).toMatchObject({
      task_id: former.task_id,
      trigger: "manual",
      exit_code: 5,
      attempt: 1,
    });
    expect(await getRun(daemon, former)).toEqual(former);
  });

  test("of a task that is not ready is refused, and leaves no run", async () => {
    await using daemon = await startDaemon();
    const former = await runOnce(daemon, ":");
    await made2xx(daemon.call("POST", `/v1/tasks/${former.task_id}/disable`));
    const answer = await daemon.call("POST", `/v1/runs/${former.id}/rerun`);
    expect(answer).toMatchObject({
      status: 409,
      json: { error: { message: expect.stringContaining("task_disabled") } },
    });
    expect(await listRuns(daemon, `task_id=${former.task_id}`)).toHaveLength(1);
  });
});
