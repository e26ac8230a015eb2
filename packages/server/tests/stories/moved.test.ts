import { ManualClock, tempDir } from "@belfry/test-kit";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { link } from "../support/chains.ts";
import { assign, listDeliveries, makeChannel, sendTest, untilDelivery } from "../support/channels.ts";
import { startDaemon } from "../support/harness.ts";
import { answerWith, startReceiver } from "../support/receiver.ts";
import { getRun, listRuns, made2xx, makeTask, startRun, untilEnd, untilState, waitFor } from "../support/tasks.ts";

test("data from another machine is held: its work ends as lost without consequences, and nothing starts or is sent", async () => {
  const clock = new ManualClock("2026-03-01T00:00:30Z");
  await using receiver = await startReceiver({ behave: answerWith(500) });
  await using files = await tempDir("bf-");
  const { path: dataDir } = files;
  const go = join(dataDir, "go");
  const marks = join(dataDir, "marks");
  let tasks, runs;
  {
    await using daemon = await startDaemon({ clock, dataDir, machineId: "a".repeat(32) });
    const work = await makeTask(daemon, `echo begun >> '${marks}'; ${waitFor(go)}; echo ended >> '${marks}'`, {
      on_lost: "retry",
    });
    const next = await makeTask(daemon, `echo next >> '${marks}'`);
    await link(daemon, work, next, { on_outcome: "any" });
    const channel = await makeChannel(daemon, receiver.url);
    await assign(daemon, `tasks/${work.id}`, [[channel, true, true]]);
    await made2xx(daemon.call("POST", "/v1/schedules", { task_id: next.id, kind: "cron", expression: "* * * * *" }));
    const running = await startRun(daemon, work);
    await untilState(daemon, running, "running");
    tasks = { work, next };
    runs = [running, await startRun(daemon, work)];
    const delivery = await sendTest(daemon, channel);
    await untilDelivery(daemon, delivery, { state: "pending", attempt_count: 1 });
    await daemon.stop();
    await writeFile(go, "");
  }
  // the original may have run these times
  clock.jump(10 * 60_000);
  await using daemon = await startDaemon({ clock, dataDir, machineId: "b".repeat(32) });
  expect((await daemon.call("GET", "/v1/holds")).json.holds).toMatchObject([{ group_id: null, cause: "moved" }]);
  for (const run of runs)
    expect(await getRun(daemon, run)).toMatchObject({
      state: "failed",
      outcome: "failure",
      reason: "lost",
      reason_text: expect.stringMatching(/came from another machine/),
      ended_at: "2026-03-01T00:10:30.000Z",
    });
  expect(await listDeliveries(daemon)).toMatchObject([
    { event: "test", state: "failed", diagnostic: expect.stringMatching(/^restored: /) },
  ]);
  await clock.advance(5 * 60_000);
  const channelId = (await listDeliveries(daemon))[0].channel_id;
  const waiting = await sendTest(daemon, { id: channelId });
  const requests = receiver.requests.length;
  await clock.advance(60_000);
  expect(await listRuns(daemon, `task_id=${tasks.next.id}`)).toMatchObject([
    { state: "skipped", reason: "held", coalesced: 15, scheduled_for: "2026-03-01T00:16:00.000Z" },
  ]);
  expect(receiver.requests).toHaveLength(requests);

  await made2xx(daemon.call("POST", "/v1/release", {}));
  await untilDelivery(daemon, waiting, { attempt_count: 1 });
  await clock.advance(60_000);
  const [first] = await listRuns(daemon, `task_id=${tasks.next.id}`);
  expect(first).toMatchObject({ scheduled_for: "2026-03-01T00:17:00.000Z" });
  expect(await untilEnd(daemon, first)).toMatchObject({ outcome: "success" });
  expect(await listRuns(daemon, `task_id=${tasks.work.id}`)).toHaveLength(2);
  expect((await readFile(marks, "utf8")).match(/begun/g)).toHaveLength(1);
});

test.each([
  ["the same machine", "a".repeat(32), true],
  ["a machine without an id", null, true],
  ["another machine, if the configuration says so", "b".repeat(32), false],
])("data of %s is not held, also in another boot", async (_what, machineId, holdWhenMoved) => {
  await using files = await tempDir("bf-");
  const dataDir = files.path;
  {
    await using _daemon = await startDaemon({ dataDir, machineId: "a".repeat(32) });
  }
  await using daemon = await startDaemon({ dataDir, machineId, bootId: "another", config: { holdWhenMoved } });
  expect((await daemon.call("GET", "/v1/holds")).json.holds).toEqual([]);
});
