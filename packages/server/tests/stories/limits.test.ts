import { ManualClock, tempDir } from "@belfry/test-kit";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Harness, startDaemon } from "../support/harness.ts";
import { untilRound } from "../support/rounds.ts";
import {
  cancel,
  getRun,
  listRuns,
  made2xx,
  makeGroup,
  makeTask,
  startRun,
  untilEnd,
  untilState,
  waitFor,
} from "../support/tasks.ts";

/** A daemon with a folder for its tasks. A file in the folder ends all of them. */
async function startWorld(options: Parameters<typeof startDaemon>[0] = {}) {
  const place = await tempDir();
  const daemon = await startDaemon(options);
  const go = join(place.path, "go");
  return {
    daemon,
    place: place.path,
    /** A script that runs until `releaseTasks` is called. */
    stay: waitFor(go),
    releaseTasks: () => writeFile(go, ""),
    [Symbol.asyncDispose]: async () => {
      await daemon[Symbol.asyncDispose]();
      await place[Symbol.asyncDispose]();
    },
  };
}

async function countOf(daemon: Harness, state: string): Promise<number> {
  return (await listRuns(daemon, `state=${state}&limit=1000`)).length;
}

/** Expects these numbers of runs, and the same after the daemon has checked its queue again. */
async function expectRunning(daemon: Harness, running: number, queued: number): Promise<void> {
  await untilRound(daemon, `${running} running`, async () => (await countOf(daemon, "running")) === running);
  expect({ queued: await countOf(daemon, "queued"), dispatching: await countOf(daemon, "dispatching") }).toEqual({
    queued,
    dispatching: 0,
  });
}

describe("limits", () => {
  test("a task has as many concurrent runs as its limit, and the others wait", async () => {
    await using world = await startWorld();
    const { daemon } = world;
    const task = await makeTask(daemon, world.stay, { concurrency: { limit: 2 } });
    for (let asked = 0; asked < 5; asked++) await startRun(daemon, task);
    await expectRunning(daemon, 2, 3);
    await world.releaseTasks();
    await untilRound(daemon, "all ended", async () => (await countOf(daemon, "succeeded")) === 5);
  });

  test("a group's limit counts the runs of the groups below it", async () => {
    await using world = await startWorld();
    const { daemon } = world;
    const outer = await makeGroup(daemon, { max_concurrent_runs: 2 });
    const inner = await makeGroup(daemon, { parent_id: outer.id, max_concurrent_runs: 1 });
    const own = await makeTask(daemon, world.stay, { group_id: outer.id, concurrency: { limit: 9 } });
    const below = await makeTask(daemon, world.stay, { group_id: inner.id, concurrency: { limit: 9 } });
    const belowRuns = [await startRun(daemon, below), await startRun(daemon, below)];
    await expectRunning(daemon, 1, 1);
    await startRun(daemon, own);
    await startRun(daemon, own);
    await expectRunning(daemon, 2, 2);
    const outside = await startRun(daemon, await makeTask(daemon, world.stay));
    await untilState(daemon, outside, "running");
    expect((await getRun(daemon, belowRuns[1])).state).toBe("queued");
    await world.releaseTasks();
    await untilRound(daemon, "all ended", async () => (await countOf(daemon, "succeeded")) === 5);
  });

  test("the daemon's own limit applies to all runs, and each end frees one slot", async () => {
    await using world = await startWorld({ config: { runsAtOnceMax: 3 } });
    const { daemon } = world;
    for (let asked = 0; asked < 5; asked++) await startRun(daemon, await makeTask(daemon, world.stay));
    await expectRunning(daemon, 3, 2);
    const [first] = await listRuns(daemon, "state=running");
    await cancel(daemon, first);
    await untilEnd(daemon, first);
    await expectRunning(daemon, 3, 1);
  });

  test("the run with the highest priority starts first, and among equal runs the one that waits longest", async () => {
    const clock = new ManualClock();
    await using world = await startWorld({ config: { runsAtOnceMax: 1 }, clock });
    const { daemon, place } = world;
    const holder = await startRun(daemon, await makeTask(daemon, world.stay));
    await untilState(daemon, holder, "running");
    const wanted = [
      ["third", 0],
      ["fourth", 0],
      ["first", 50],
      ["second", 50],
      ["last", -1],
    ] as const;
    const runs = [];
    for (const [name, priority] of wanted) {
      runs.push(await startRun(daemon, await makeTask(daemon, `echo ${name} >> '${place}/order'`, { priority })));
      await clock.advance(1_000);
    }
    await world.releaseTasks();
    for (const run of runs) await untilEnd(daemon, run);
    expect(await readFile(join(place, "order"), "utf8")).toBe("first\nsecond\nthird\nfourth\nlast\n");
  });

  test("a full task or group does not block others in the queue, however many of its runs wait before them", async () => {
    await using world = await startWorld({ config: { runsAtOnceMax: 16 } });
    const { daemon } = world;
    const group = await makeGroup(daemon, { max_concurrent_runs: 1 });
    const fullTask = await makeTask(daemon, world.stay, { priority: 100 });
    const inFullGroup = await makeTask(daemon, world.stay, {
      priority: 90,
      group_id: group.id,
      concurrency: { limit: 9 },
    });
    for (let asked = 0; asked < 130; asked++) await startRun(daemon, fullTask);
    for (let asked = 0; asked < 30; asked++) await startRun(daemon, inFullGroup);
    const behind = await startRun(daemon, await makeTask(daemon, ":", { priority: -100 }));
    expect(await untilEnd(daemon, behind)).toMatchObject({ state: "succeeded" });
    await expectRunning(daemon, 2, 158);
  });

  test("raising a limit starts the runs that waited for it", async () => {
    await using world = await startWorld();
    const { daemon } = world;
    const task = await makeTask(daemon, world.stay);
    for (let asked = 0; asked < 3; asked++) await startRun(daemon, task);
    await expectRunning(daemon, 1, 2);
    await made2xx(daemon.call("PATCH", `/v1/tasks/${task.id}`, { concurrency: { limit: 2 } }));
    await expectRunning(daemon, 2, 1);
    await made2xx(daemon.call("PATCH", `/v1/tasks/${task.id}`, { concurrency: { limit: 3 } }));
    await expectRunning(daemon, 3, 0);
  });
});

describe("a run over its task's limit", () => {
  test("waits if the task queues", async () => {
    await using world = await startWorld();
    const { daemon } = world;
    const task = await makeTask(daemon, world.stay, { concurrency: { on_conflict: "queue" } });
    await startRun(daemon, task);
    expect((await startRun(daemon, task)).state).toBe("queued");
  });

  test("is skipped if the task skips, and the next one runs once the task is free", async () => {
    await using world = await startWorld();
    const { daemon } = world;
    const task = await makeTask(daemon, world.stay, { concurrency: { on_conflict: "skip" } });
    const first = await startRun(daemon, task);
    const second = await startRun(daemon, task);
    expect(second).toMatchObject({
      state: "skipped",
      outcome: null,
      reason: "overlap",
      reason_text: "was skipped: the limit of concurrent runs was reached",
    });
    await world.releaseTasks();
    await untilEnd(daemon, first);
    expect((await untilEnd(daemon, await startRun(daemon, task))).state).toBe("succeeded");
  });

  test("is not skipped for a limit of its group or of the daemon, but waits", async () => {
    await using world = await startWorld({ config: { runsAtOnceMax: 2 } });
    const { daemon } = world;
    const group = await makeGroup(daemon, { max_concurrent_runs: 1 });
    const skips = { concurrency: { on_conflict: "skip" } };
    await untilState(
      daemon,
      await startRun(daemon, await makeTask(daemon, world.stay, { group_id: group.id })),
      "running",
    );
    const inGroup = await startRun(daemon, await makeTask(daemon, ":", { group_id: group.id, ...skips }));
    await untilState(daemon, await startRun(daemon, await makeTask(daemon, world.stay)), "running");
    const outside = await startRun(daemon, await makeTask(daemon, ":", skips));
    expect([inGroup.state, outside.state]).toEqual(["queued", "queued"]);
    await world.releaseTasks();
    for (const run of [inGroup, outside]) expect((await untilEnd(daemon, run)).state).toBe("succeeded");
  });

  test("that was requested for a later time is skipped only if it overlaps at that time", async () => {
    const clock = new ManualClock();
    await using world = await startWorld({ clock });
    const { daemon } = world;
    const task = await makeTask(daemon, world.stay, { concurrency: { on_conflict: "skip" } });
    const now = await startRun(daemon, task);
    await untilState(daemon, now, "running");
    const inAnHour = await startRun(daemon, task, { scheduled_for: new Date(clock.now() + 3_600_000).toISOString() });
    const inTwoHours = await startRun(daemon, task, { scheduled_for: new Date(clock.now() + 7_200_000).toISOString() });
    expect([inAnHour.state, inTwoHours.state]).toEqual(["queued", "queued"]);
    await clock.advance(3_600_000);
    expect(await untilEnd(daemon, inAnHour)).toMatchObject({ state: "skipped", reason: "overlap" });
    await world.releaseTasks();
    await untilEnd(daemon, now);
    await clock.advance(3_600_000);
    expect(await untilEnd(daemon, inTwoHours)).toMatchObject({ state: "succeeded" });
  });

  test("of a schedule is skipped each time, in one row for all of them", async () => {
    const clock = new ManualClock("2026-03-01T00:00:30Z");
    await using world = await startWorld({ clock });
    const { daemon } = world;
    const task = await makeTask(daemon, world.stay, { concurrency: { on_conflict: "skip" } });
    await made2xx(daemon.call("POST", "/v1/schedules", { task_id: task.id, kind: "cron", expression: "* * * * *" }));
    await clock.advance(60_000);
    const [running] = await listRuns(daemon, `task_id=${task.id}`);
    await untilState(daemon, running, "running");
    await clock.advance(5 * 60_000);
    const runs = await listRuns(daemon, `task_id=${task.id}`);
    expect(runs.map(({ state, coalesced, scheduled_for }) => ({ state, coalesced, scheduled_for }))).toEqual([
      { state: "skipped", coalesced: 4, scheduled_for: "2026-03-01T00:06:00.000Z" },
      { state: "running", coalesced: 0, scheduled_for: "2026-03-01T00:01:00.000Z" },
    ]);
    expect(runs[0].coalesced_from).toBe("2026-03-01T00:02:00.000Z");
  });
});
