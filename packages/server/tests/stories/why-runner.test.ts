import { mkdir, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { claimFolder } from "../../src/runner/places.ts";
import { openTestApplication } from "../support/application.ts";
import type { Json } from "../support/harness.ts";
import { simulateRunners } from "../support/simulated-runners.ts";
import { made2xx, makeTask, startRun, untilEnd } from "../support/tasks.ts";

/** A daemon whose only runner is simulated, with one run that was requested by hand. */
async function openWithRun({ isFormer = false } = {}) {
  const runners = simulateRunners();
  const app = await openTestApplication({ canRun: true, openRunners: runners.open });
  const rounds = app.rounds.engine;
  await rounds.idle();
  runners.setFormer(isFormer);
  await rounds.idle();
  const task = await makeTask(app, "exit 0", { leftovers: "kill" });
  const run = await startRun(app, task);
  await rounds.idle();
  return {
    ...app,
    runners,
    run,
    why: async (): Promise<Json> => (await made2xx(app.call("GET", `/v1/tasks/${task.id}/why`))).manual,
    info: (): Promise<Json> => made2xx(app.call("GET", "/v1/runtime-info")),
  };
}

test("why says of a run whose claim cannot be read that it was lost, and what cannot be read", async () => {
  await using daemon = await openWithRun();
  const { attempt } = daemon.runners.listStarts()[0]!;
  const folder = claimFolder(daemon.dataDir, attempt);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "claim"), "damaged");
  await truncate(join(folder, "claim"), 3);
  daemon.runners.report({ is: "refused", attempt, why: "claimed" });
  await untilEnd(daemon, daemon.run);
  expect((await daemon.why()).reason).toMatch(
    /, and it was lost because its runner process died; the record of its start cannot be read$/,
  );
});

test("why says of a run that the present runner cannot start what it waits for, and what to do", async () => {
  await using daemon = await openWithRun({ isFormer: true });
  expect(daemon.runners.listStarts()).toEqual([]);
  expect(await daemon.why()).toMatchObject({
    decision: "queued",
    reason: expect.stringMatching(
      /, and it is queued until a newer runner process is ready: the present one cannot start this task\. Restart the daemon$/,
    ) as unknown,
  });
});

test("why and runtime-info say until when an order is paused that several runners left unanswered", async () => {
  await using daemon = await openWithRun();
  const { attempt } = daemon.runners.listStarts()[0]!;
  const until = "2040-01-01T00:00:00.000Z";
  expect(await daemon.info()).toMatchObject({ paused_starts: [] });
  daemon.runners.pause({ attempt, unanswered: 3, until: Date.parse(until) });
  expect((await daemon.why()).reason).toMatch(
    new RegExp(
      `, and it is starting, but 3 runner processes did not answer the order to start it: the order is sent again at ${until}$`,
    ),
  );
  expect(await daemon.info()).toMatchObject({ paused_starts: [{ run_id: daemon.run.id, unanswered: 3, until }] });
});
