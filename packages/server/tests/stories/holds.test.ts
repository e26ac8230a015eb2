import { ManualClock, tempDir, until } from "@belfry/test-kit";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { link, startedBy } from "../support/chains.ts";
import { assign, listDeliveries, makeChannel, untilDelivery } from "../support/channels.ts";
import { startDaemon } from "../support/harness.ts";
import { startReceiver } from "../support/receiver.ts";
import { untilRound } from "../support/rounds.ts";
import {
  type Daemon,
  getRun,
  listRuns,
  made2xx,
  makeGroup,
  makeTask,
  startRun,
  untilEnd,
  untilReady,
  untilState,
  waitFor,
} from "../support/tasks.ts";
import { fire } from "../support/triggers.ts";
import { expectRuns, place, watch } from "../support/watchers.ts";

const hold = (daemon: Daemon, body: object = {}) => made2xx(daemon.call("POST", "/v1/hold", body));
const release = (daemon: Daemon, body: object = {}) => made2xx(daemon.call("POST", "/v1/release", body));
const readinessOf = async (daemon: Daemon, task: { readonly id: string }) =>
  (await daemon.call("GET", `/v1/tasks/${task.id}`)).json.reason;

describe("while all tasks are held", () => {
  test("manual runs and fires are refused, and leave no run", async () => {
    await using daemon = await startDaemon();
    const task = await untilReady(daemon, await makeTask(daemon, ":"));
    const { key } = await made2xx(daemon.call("POST", "/v1/triggers", { name: "deploy", target_task_id: task.id }));
    await hold(daemon);
    expect(await daemon.call("POST", `/v1/tasks/${task.id}/run`)).toMatchObject({
      status: 409,
      json: { error: { code: "conflict", message: expect.stringMatching(/^the task is held: release .*\(held\)$/) } },
    });
    expect(await fire(daemon, key)).toMatchObject({
      status: 503,
      json: { error: { code: "trigger_dispatch_unavailable" } },
    });
    expect(await readinessOf(daemon, task)).toBe("held");
    expect(await listRuns(daemon, `task_id=${task.id}`)).toEqual([]);
    await release(daemon);
    expect((await untilEnd(daemon, await startRun(daemon, task))).outcome).toBe("success");
    expect((await fire(daemon, key)).status).toBe(202);
  });

  test("a schedule leaves one skipped row with the reason, and runs again from the release on", async () => {
    const clock = new ManualClock("2026-03-01T00:00:30Z");
    await using daemon = await startDaemon({ clock });
    const task = await untilReady(daemon, await makeTask(daemon, ":"));
    const every = { task_id: task.id, kind: "cron", expression: "* * * * *", misfire: { policy: "run_all" } };
    await made2xx(daemon.call("POST", "/v1/schedules", every));
    await hold(daemon);
    await clock.advance(5 * 60_000);
    // due, and released before the ticker looked
    clock.jump(60_000);
    await release(daemon);
    await clock.advance(60_000);
    const runs = await listRuns(daemon, `task_id=${task.id}`);
    expect(runs).toMatchObject([
      { state: expect.not.stringMatching("skipped"), scheduled_for: "2026-03-01T00:07:00.000Z" },
      {
        state: "skipped",
        outcome: null,
        reason: "held",
        reason_text: "was skipped: the task is held",
        coalesced: 5,
        coalesced_from: "2026-03-01T00:01:00.000Z",
        scheduled_for: "2026-03-01T00:06:00.000Z",
      },
    ]);
    expect(runs).toHaveLength(2);
  });

  test("what runs goes on with its webhooks; its chain, its retry and queued runs wait for the release", async () => {
    await using receiver = await startReceiver();
    await using files = await tempDir();
    await using daemon = await startDaemon();
    const go = join(files.path, "go");
    const source = await makeTask(daemon, `${waitFor(go)}; exit 3`);
    const target = await makeTask(daemon, ":");
    const chain = await link(daemon, source, target, { on_outcome: "failure" });
    const channel = await makeChannel(daemon, receiver.url);
    await assign(daemon, `tasks/${source.id}`, [[channel, true, true]]);
    const retried = await makeTask(daemon, `${waitFor(go)}; exit 4`, { retry: { max_attempts: 2, delay: "1ms" } });
    const queued = await makeTask(daemon, waitFor(go));
    const first = await startRun(daemon, queued);
    const runs = [await startRun(daemon, source), await startRun(daemon, retried), first];
    for (const run of runs) await untilState(daemon, run, "running");
    const second = await startRun(daemon, queued);

    await hold(daemon, { reason: "upgrade" });
    await writeFile(go, "");
    const ended = await untilEnd(daemon, runs[0]);
    expect(ended).toMatchObject({ outcome: "failure", exit_code: 3 });
    await untilEnd(daemon, first);
    await untilState(daemon, runs[1], "queued");
    const [delivery] = await listDeliveries(daemon);
    await untilDelivery(daemon, delivery, { state: "succeeded" });
    expect(await startedBy(daemon, ended)).toMatchObject([{ state: "queued", source_chain_id: chain.id }]);
    expect((await getRun(daemon, second)).state).toBe("queued");
    const why = (await daemon.call("GET", `/v1/tasks/${target.id}/why`)).json;
    expect(why).toMatchObject({ readiness: "not_ready", reason: "held" });
    expect(why.chains[0].reason).toMatch(/is queued; its task is held until the hold is released$/);

    await release(daemon);
    for (const run of [second, runs[1], ...(await startedBy(daemon, ended))]) await untilEnd(daemon, run);
    expect((await getRun(daemon, runs[1])).attempt).toBe(2);
    expect(await listDeliveries(daemon)).toHaveLength(1);
  });

  test("the files of a watcher wait, and start one run at the release", async () => {
    await using daemon = await startDaemon();
    const watching = await watch(daemon);
    await hold(daemon);
    place(watching.root, "a");
    place(watching.root, "b");
    await until("observed files", async () => {
      const why = (await daemon.call("GET", `/v1/tasks/${watching.taskId}/why`)).json;
      return /no run can start: the task is held/.test(why.watchers[0].reason);
    });
    expect(await listRuns(daemon, `task_id=${watching.taskId}`)).toEqual([]);
    await release(daemon);
    await expectRuns(watching, ["a", "b"]);
  });
});

test("a hold survives a restart and ends at its time, with what was missed before and after it apart", async () => {
  const clock = new ManualClock("2026-03-01T00:00:30Z");
  await using place_ = await tempDir("bf-");
  const dataDir = place_.path;
  let task;
  {
    await using daemon = await startDaemon({ clock, dataDir });
    task = await untilReady(daemon, await makeTask(daemon, ":"));
    await made2xx(daemon.call("POST", "/v1/schedules", { task_id: task.id, kind: "cron", expression: "*/10 * * * *" }));
    await hold(daemon, { until: "2026-03-01T01:05:00Z", reason: "a move" });
  }
  clock.jump(30 * 60_000);
  {
    await using daemon = await startDaemon({ clock, dataDir });
    expect((await daemon.call("GET", "/v1/holds")).json.holds).toMatchObject([
      { group_id: null, cause: "requested", reason: "a move", until: "2026-03-01T01:05:00.000Z" },
    ]);
    expect(await readinessOf(daemon, task)).toBe("held");
  }
  // the hold ends while the daemon is not running
  clock.jump(60 * 60_000);
  await using daemon = await startDaemon({ clock, dataDir });
  await untilReady(daemon, task);
  const runs = await untilRound(daemon, "the run that was missed after the hold", async () => {
    const found = await listRuns(daemon, `task_id=${task.id}`);
    return found.length === 2 ? found : null;
  });
  expect(runs).toMatchObject([
    { reason: expect.not.stringMatching("held"), scheduled_for: "2026-03-01T01:30:00.000Z", coalesced: 2 },
    { state: "skipped", reason: "held", scheduled_for: "2026-03-01T01:00:00.000Z", coalesced: 5 },
  ]);
  expect((await daemon.call("GET", "/v1/holds")).json.holds).toEqual([]);
});

test("a hold that ended while the machine slept holds nothing that was due after its end", async () => {
  const clock = new ManualClock("2026-03-01T00:00:30Z");
  await using daemon = await startDaemon({ clock });
  const task = await untilReady(daemon, await makeTask(daemon, ":"));
  await made2xx(daemon.call("POST", "/v1/schedules", { task_id: task.id, kind: "cron", expression: "*/10 * * * *" }));
  await hold(daemon, { until: "2026-03-01T01:05:00Z" });
  await clock.advance(1_000);
  clock.suspend(90 * 60_000);
  // the ticker looks before the loop that releases holds
  await clock.advance(10_000);
  const runs = await untilRound(daemon, "the run that was missed after the hold", async () => {
    const found = await listRuns(daemon, `task_id=${task.id}`);
    // both are of the same instant
    return found.length === 2 ? found.toSorted((one) => (one.state === "skipped" ? 1 : -1)) : null;
  });
  expect(runs).toMatchObject([
    { reason: expect.not.stringMatching("held"), scheduled_for: "2026-03-01T01:30:00.000Z", coalesced: 2 },
    { state: "skipped", reason: "held", scheduled_for: "2026-03-01T01:00:00.000Z", coalesced: 5 },
  ]);
  expect((await daemon.call("GET", "/v1/holds")).json.holds).toEqual([]);
});

test("of two holds that ended while nothing ran, each holds the times until its own end", async () => {
  const clock = new ManualClock("2026-03-01T00:00:30Z");
  await using place_ = await tempDir("bf-");
  const dataDir = place_.path;
  const tasks = [];
  {
    await using daemon = await startDaemon({ clock, dataDir });
    // the later one first
    for (const untilAt of ["2026-03-01T03:05:00Z", "2026-03-01T01:05:00Z"]) {
      const group = await makeGroup(daemon);
      const task = await makeTask(daemon, ":", { group_id: group.id });
      const every = { task_id: task.id, kind: "cron", expression: "*/10 * * * *", misfire: { policy: "run_all" } };
      await made2xx(daemon.call("POST", "/v1/schedules", every));
      await hold(daemon, { group_id: group.id, until: untilAt });
      tasks.push(task);
    }
  }
  clock.jump(3 * 3_600_000);
  await using daemon = await startDaemon({ clock, dataDir });
  const heldOf = async (task: { readonly id: string }) =>
    (await listRuns(daemon, `task_id=${task.id}`)).filter(({ reason }) => reason === "held");
  expect(await heldOf(tasks[1])).toMatchObject([{ scheduled_for: "2026-03-01T01:00:00.000Z", coalesced: 5 }]);
  clock.jump(10 * 60_000);
  await clock.advance(10_000);
  expect(await heldOf(tasks[0])).toMatchObject([{ scheduled_for: "2026-03-01T03:00:00.000Z", coalesced: 17 }]);
  expect(await heldOf(tasks[1])).toHaveLength(1);
});

test("a hold on a group holds its subgroups and nothing else; the nearest release is not enough", async () => {
  await using daemon = await startDaemon();
  const outer = await makeGroup(daemon);
  const inner = await makeGroup(daemon, { parent_id: outer.id });
  const held = await makeTask(daemon, ":", { group_id: inner.id });
  const free = await untilReady(daemon, await makeTask(daemon, ":"));
  await hold(daemon, { group_id: outer.id });
  await hold(daemon, { group_id: inner.id });
  const second = await hold(daemon, { group_id: inner.id, reason: "still" });
  expect((await daemon.call("GET", "/v1/holds")).json.holds).toMatchObject([
    { id: second.id, group_name: inner.name, reason: "still" },
    { group_name: outer.name },
  ]);
  expect([await readinessOf(daemon, held), await readinessOf(daemon, free)]).toEqual(["held", "ready"]);
  await release(daemon, { group_id: inner.id });
  expect(await readinessOf(daemon, held)).toBe("held");
  await made2xx(daemon.call("POST", `/v1/groups/${outer.id}/disable`));
  expect(await readinessOf(daemon, held)).toBe("group_blocked");
  await made2xx(daemon.call("POST", `/v1/groups/${outer.id}/enable`));
  await release(daemon, { group_id: outer.id });
  expect(await readinessOf(daemon, held)).toBe("ready");
  // a deleted group takes its hold with it
  const empty = await makeGroup(daemon);
  await hold(daemon, { group_id: empty.id });
  expect((await daemon.call("DELETE", `/v1/groups/${empty.id}`)).status).toBe(204);
  expect((await daemon.call("GET", "/v1/holds")).json.holds).toEqual([]);
});

test("a hold is audited with its id, until must be in the future, and nothing is released twice", async () => {
  await using daemon = await startDaemon();
  const past = await daemon.call("POST", "/v1/hold", { until: "2001-01-01T00:00:00Z" });
  expect(past.json.error).toMatchObject({ code: "validation_failed", field: "until" });
  const { id } = await hold(daemon);
  await release(daemon);
  expect((await daemon.call("POST", "/v1/release", {})).json.error.code).toBe("conflict");
  const { audit_events: events } = (await daemon.call("GET", "/v1/audit")).json;
  expect(events.slice(0, 3)).toMatchObject([
    { operation: "holds.release", result: "failed", resource_id: null },
    { operation: "holds.release", result: "allowed", resource_type: "hold", resource_id: id },
    { operation: "holds.place", result: "allowed", resource_id: id },
  ]);
});
