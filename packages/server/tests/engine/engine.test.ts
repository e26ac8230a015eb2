import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { openTestApplication } from "../support/application.ts";
import { cancel, getRun, made2xx, makeTask, startRun, untilEnd } from "../support/tasks.ts";
import { untilRound } from "../support/rounds.ts";
import { simulateRunners, succeeded } from "../support/simulated-runners.ts";

/** A daemon whose only runner is simulated, with one run whose start was ordered. */
async function openWithRun() {
  const runners = simulateRunners();
  const app = await openTestApplication({ canRun: true, openRunners: runners.open });
  const rounds = app.rounds.engine;
  await rounds.idle();
  const run = await startRun(app, await makeTask(app, "exit 0"));
  await rounds.idle();
  const attempt = runners.listStarts()[0]!.attempt;
  return {
    ...app,
    runners,
    attempt,
    run,
    /** Resolves when the round that reads the latest report has ended. */
    finishRound: (): Promise<void> => rounds.after(rounds.finished + 1),
    forgets: (): number => runners.orders.filter((order) => order.do === "forget" && order.attempt === attempt).length,
  };
}

test("an end that cannot be written is kept, not acknowledged, and written once the disk has space", async () => {
  await using daemon = await openWithRun();
  const { runners, attempt, run } = daemon;
  runners.report({ is: "started", attempt, pid: 4_321, at: Date.now() });
  await daemon.finishRound();
  expect(await getRun(daemon, run)).toMatchObject({ state: "running" });

  daemon.sqlite.pragma("query_only = ON");
  runners.report({ is: "ended", attempt, end: succeeded(Date.now()) });
  await daemon.finishRound();
  expect(await getRun(daemon, run)).toMatchObject({ state: "running" });
  expect(daemon.forgets()).toBe(0);

  daemon.sqlite.pragma("query_only = OFF");
  // nothing wakes the engine: it retries by itself
  await daemon.finishRound();
  expect(await getRun(daemon, run)).toMatchObject({ state: "succeeded", exit_code: 0 });
  expect(daemon.forgets()).toBe(1);
});

test("an end that the runner repeats is recorded once, and acknowledged each time", async () => {
  await using daemon = await openWithRun();
  const { runners, attempt, run } = daemon;
  const end = succeeded(Date.now());
  runners.report({ is: "ended", attempt, end });
  await daemon.finishRound();
  const recorded = await getRun(daemon, run);
  runners.report({ is: "ended", attempt, end: { ...end, exitCode: 1 } });
  await daemon.finishRound();
  expect(await getRun(daemon, run)).toEqual(recorded);
  expect(daemon.forgets()).toBe(2);
});

test("an order without an answer is repeated once the runner has listed its attempts, and not before", async () => {
  await using daemon = await openWithRun();
  const { runners, attempt } = daemon;
  await runners.disconnect();
  expect(runners.listStarts()).toHaveLength(1);
  const repeated = runners.nextOrder();
  runners.reconnect([]);
  expect(await repeated).toEqual(runners.listStarts()[0]);
  expect(runners.listStarts().map((order) => order.attempt)).toEqual([attempt, attempt]);
});

test("a cancel whose order was lost with the connection is repeated when the runner is back", async () => {
  await using daemon = await openWithRun();
  const { runners, attempt, run } = daemon;
  runners.report({ is: "started", attempt, pid: 4_321, at: Date.now() });
  await daemon.finishRound();
  await runners.disconnect();
  await made2xx(daemon.call("POST", `/v1/runs/${run.id}/cancel`));
  const repeated = runners.nextOrder();
  runners.reconnect([attempt]);
  expect(await repeated).toMatchObject({ do: "cancel", attempt, cause: "cancelled" });
  expect(runners.listStarts()).toHaveLength(1);
});

test("a report that cannot be written does not block the others, and is retried", async () => {
  await using daemon = await openWithRun();
  const { runners, attempt, run } = daemon;
  const other = await startRun(daemon, await makeTask(daemon, "exit 0"));
  await daemon.rounds.engine.idle();
  const otherAttempt = runners.listStarts()[1]!.attempt;
  daemon.sqlite.exec(`
    CREATE TRIGGER planted BEFORE UPDATE ON attempts WHEN NEW.id = '${attempt}'
    BEGIN SELECT RAISE(ABORT, 'planted'); END
  `);
  for (const each of [attempt, otherAttempt]) {
    runners.report({ is: "ended", attempt: each, end: succeeded(Date.now()) });
  }
  await daemon.finishRound();
  expect(await getRun(daemon, other)).toMatchObject({ state: "succeeded" });
  expect(await getRun(daemon, run)).toMatchObject({ ended_at: null });
  expect(daemon.forgets()).toBe(0);

  daemon.sqlite.exec("DROP TRIGGER planted");
  await untilRound(daemon, "the end of the first run", async () => (await getRun(daemon, run)).ended_at !== null);
  expect(daemon.forgets()).toBe(1);
});

test("a runner of a former version never gets an order that it cannot read: the run waits for a newer one", async () => {
  const runners = simulateRunners();
  await using app = await openTestApplication({ canRun: true, openRunners: runners.open });
  const rounds = app.rounds.engine;
  await rounds.idle();
  runners.setFormer(true);
  await rounds.idle();
  const needy = await startRun(app, await makeTask(app, "exit 0", { leftovers: "kill" }));
  const plain = await startRun(app, await makeTask(app, "exit 0"));
  await rounds.idle();
  expect(runners.listStarts()).toMatchObject([{ version: 1, spec: { environment: { BELFRY_RUN_ID: plain.id } } }]);
  expect([await getRun(app, needy), await getRun(app, plain)]).toMatchObject([
    { state: "queued", attempt: 0 },
    { state: "dispatching" },
  ]);
  const order = runners.nextOrder();
  runners.setFormer(false);
  expect(await order).toMatchObject({ do: "start", version: 2, spec: { environment: { BELFRY_RUN_ID: needy.id } } });
});

test("an unanswered order is not repeated to a runner of a former version", async () => {
  const runners = simulateRunners();
  await using app = await openTestApplication({ canRun: true, openRunners: runners.open });
  await app.rounds.engine.idle();
  await startRun(app, await makeTask(app, "exit 0", { leftovers: "kill" }));
  await app.rounds.engine.idle();
  expect(runners.listStarts()).toMatchObject([{ version: 2 }]);
  await runners.disconnect();
  runners.setFormer(true);
  runners.reconnect([]);
  // the second request shows what the first one led to
  await runners.nextSync();
  await runners.nextSync();
  expect(runners.listStarts()).toHaveLength(1);
  const order = runners.nextOrder();
  runners.setFormer(false);
  expect(await order).toEqual(runners.listStarts()[0]);
});

test("an order that another runner returns late does not start the attempt a second time", async () => {
  await using daemon = await openWithRun();
  const { runners, attempt, run } = daemon;
  runners.report({ is: "started", attempt, pid: 4_321, at: Date.now() });
  await daemon.finishRound();
  runners.reportOfOther({ is: "returned", attempt, why: "EMFILE" });
  // its runner dies, and its claim is gone
  await runners.disconnect();
  runners.reconnect([]);
  expect(await untilEnd(daemon, run)).toMatchObject({ state: "failed", reason: "lost", attempt: 1 });
  expect(runners.listStarts()).toHaveLength(1);
});

test("an attempt that was returned once and started later is not started again when its claim is gone", async () => {
  await using daemon = await openWithRun();
  const { runners, attempt, run } = daemon;
  // returned and started before the daemon looks again
  runners.report({ is: "returned", attempt, why: "EMFILE" });
  runners.report({ is: "started", attempt, pid: 4_321, at: Date.now() });
  await daemon.finishRound();
  await runners.disconnect();
  runners.reconnect([]);
  expect(await untilEnd(daemon, run)).toMatchObject({ state: "failed", reason: "lost", attempt: 1 });
  expect(runners.listStarts()).toHaveLength(1);
});

test("an order is not repeated for a run that was cancelled while runners listed their attempts", async () => {
  await using daemon = await openWithRun();
  const { runners, attempt, run } = daemon;
  const list = runners.delayLists();
  await runners.disconnect();
  // the second request is for this attempt, after a look for its claim
  await runners.nextSync();
  runners.reconnect([]);
  const order = runners.nextOrder();
  await cancel(daemon, run);
  expect(await order).toMatchObject({ do: "cancel", attempt });
  runners.report({ is: "ended", attempt, end: { ...succeeded(Date.now()), cause: "cancelled", pid: null } });
  expect(await untilEnd(daemon, run)).toMatchObject({ state: "cancelled" });
  list();
  // the order would follow in the same turn of the event loop
  await setImmediate();
  expect(runners.listStarts()).toHaveLength(1);
});
