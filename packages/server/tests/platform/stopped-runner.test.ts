import { until } from "@belfry/test-kit";
import { readdir } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { sleep, systemClock } from "../../src/kernel/time/clock.ts";
import { liveFolder } from "../../src/runner/places.ts";
import type { Json } from "../support/harness.ts";
import {
  claimsOn,
  exitCode,
  openStopping,
  startDraining,
  startTogether,
  type Stopping,
} from "../support/processes/stopped-runner.ts";
import { killSurvivors, someClaimHasEnd } from "../support/processes/runners.ts";
import { cancel, getRun, makeTask, outputOf, startRun, untilEnd, untilState } from "../support/tasks.ts";

/** What becomes of the stopped runner. */
const fates = ["is resumed after 30 seconds", "stays stopped", "is killed after 30 seconds"] as const;
type Fate = (typeof fates)[number];

const stoppedMs = 30_000;

const itsOwnEnd = { state: "failed", reason: "exit_code", exit_code: exitCode, attempt: 1 };
const cancelled = { state: "cancelled", reason: "cancelled", attempt: 1 };
const lost = { state: "failed", reason: "lost", attempt: 1 };

/** Waits until the runner has been stopped for 30 seconds, and then for what becomes of it. */
async function meetFate(world: Stopping, fate: Fate, stoppedAtMs: number): Promise<void> {
  await sleep(systemClock, Math.max(0, stoppedAtMs + stoppedMs - performance.now()));
  if (fate === "stays stopped") return;
  world.signal(fate === "is killed after 30 seconds" ? "SIGKILL" : "SIGCONT");
}

/** The end of a run whose runner stopped: its own, the state it stays in, or that of a dead runner. */
async function expectFate(
  world: Stopping,
  run: Json,
  of: { readonly fate: Fate; readonly resumed: object; readonly stopped: string; readonly killed: object },
): Promise<void> {
  const { daemon } = world;
  if (of.fate === "stays stopped") return expect(await getRun(daemon, run)).toMatchObject({ state: of.stopped });
  const end = of.fate === "is killed after 30 seconds" ? of.killed : of.resumed;
  expect(await untilEnd(daemon, run)).toMatchObject(end);
}

/** The stopped runner leaves once it can, and no claim on these runs stays behind. */
async function expectNoClaims(world: Stopping, fate: Fate, runs: readonly Json[]): Promise<void> {
  if (fate === "stays stopped") return;
  await world.untilGone();
  await until("no claim", async () => (await claimsOn(world, runs)).length === 0);
}

describe.concurrent.each(fates)("a runner that is stopped and then %s", (fate) => {
  test("with an attempt in every state: others start in time, nothing starts twice, and no end is lost", async () => {
    await using world = await openStopping();
    const { daemon } = world;
    const running = await startRun(daemon, await world.makeNoted(world.untilGo));
    const ignoring = await world.makeNoted(`trap '' TERM; ${world.untilGo}`, { kill_grace: "1h" });
    const stopping = await startRun(daemon, ignoring);
    for (const run of [running, stopping]) {
      await untilState(daemon, run, "running");
      await until("its note", async () => (await world.countStarts(run)) === 1);
    }
    await cancel(daemon, stopping);
    await until("the signal", () => hasCause(world, stopping));
    const draining = await startDraining(world, world.makeNoted);
    const stoppedAtMs = performance.now();
    const quick = await world.makeNoted(":");
    const [unread, queued] = [await startRun(daemon, quick), await startRun(daemon, quick)];
    await untilState(daemon, unread, "dispatching");
    expect(await getRun(daemon, queued)).toMatchObject({ state: "queued" });
    await world.go();

    expect(await untilEnd(daemon, unread)).toMatchObject(itsOwnEnd);
    expect(await untilEnd(daemon, queued)).toMatchObject(itsOwnEnd);
    const other = await startRun(daemon, await world.makeNoted(":"));
    expect(await untilEnd(daemon, other)).toMatchObject(itsOwnEnd);
    const lastStartMs = Math.max(...(await Promise.all([unread, queued].map((run) => startOf(world, run)))));
    console.log(
      `stopped-runner: the last of the others started ${Math.round(lastStartMs - stoppedAtMs)} ms after the stop`,
    );
    for (const [run, state] of [
      [running, "running"],
      [stopping, "cancelling"],
      [draining, "running"],
    ] as const)
      expect(await getRun(daemon, run)).toMatchObject({ state });

    await meetFate(world, fate, stoppedAtMs);
    await expectFate(world, running, { fate, resumed: itsOwnEnd, stopped: "running", killed: lost });
    await expectFate(world, stopping, { fate, resumed: cancelled, stopped: "cancelling", killed: cancelled });
    await expectFate(world, draining, { fate, resumed: itsOwnEnd, stopped: "running", killed: lost });
    // a runner stays for the output of processes in the background
    await killSurvivors(`BACKGROUND=${world.place}`);
    const runs = [running, stopping, draining, unread, queued, other];
    await expectNoClaims(world, fate, runs);
    for (const run of runs) expect(await world.countStarts(run)).toBe(1);
  });

  test("between claims and the start of their processes: nothing starts twice", async () => {
    await using world = await openStopping();
    const { daemon } = world;
    // the first program stops the runner before that knows of its start, and while it has claimed the next ones
    const script = `mkdir "$PLACE/first" 2>/dev/null && kill -STOP $RUNNER; ${world.untilGo}`;
    const source = await makeTask(daemon, ":");
    const runs = await startTogether(
      world,
      source,
      await Promise.all(Array.from({ length: 8 }, () => world.makeNoted(script))),
    );
    await world.untilStopped();
    const stoppedAtMs = performance.now();
    const claims = await claimsOn(world, runs);
    const started = await until("the first note", () => countAll(world, runs));
    console.log(`stopped-runner: ${claims.length} of ${runs.length} claimed, ${started} started`);
    await world.go();
    const other = await startRun(daemon, await world.makeNoted(":"));
    expect(await untilEnd(daemon, other)).toMatchObject(itsOwnEnd);
    await until("the unclaimed runs", async () => (await countEnded(world, runs)) === runs.length - claims.length);

    await meetFate(world, fate, stoppedAtMs);
    if (fate !== "stays stopped") for (const run of runs) await untilEnd(daemon, run);
    const ended = await Promise.all(runs.map((run) => getRun(daemon, run)));
    const countOf = (state: object): number => ended.filter((run) => isLike(run, state)).length;
    const unclaimed = runs.length - claims.length;
    expect(countOf(itsOwnEnd)).toBe(fate === "is resumed after 30 seconds" ? runs.length : unclaimed);
    expect(countOf(lost)).toBe(fate === "is killed after 30 seconds" ? claims.length : 0);
    await expectNoClaims(world, fate, runs);
    for (const run of runs) expect(await world.countStarts(run)).toBeLessThanOrEqual(1);
    const starts = await countAll(world, runs);
    if (fate === "is resumed after 30 seconds") expect(starts).toBe(runs.length);
    else expect(starts).toBeGreaterThan(unclaimed);
  });

  test("with an end that is recorded and that it is not ordered to forget yet: the end stays", async () => {
    await using world = await openStopping();
    const { daemon } = world;
    world.stopAtEvent("run.failed");
    const run = await startRun(daemon, await world.makeNoted("echo kept"));
    expect(await untilEnd(daemon, run)).toMatchObject(itsOwnEnd);
    await world.untilStopped();
    const stoppedAtMs = performance.now();
    world.stopAtEvent("none");
    expect(await readdir(liveFolder(world.dataDir))).toHaveLength(1);
    const other = await startRun(daemon, await world.makeNoted(":"));
    expect(await untilEnd(daemon, other)).toMatchObject(itsOwnEnd);
    await meetFate(world, fate, stoppedAtMs);
    if (fate === "is resumed after 30 seconds") await expectNoClaims(world, fate, [run]);
    expect(await getRun(daemon, run)).toMatchObject(itsOwnEnd);
    expect(await outputOf(daemon, run)).toBe("kept\n");
    for (const each of [run, other]) expect(await world.countStarts(each)).toBe(1);
  });

  test("with an end that it wrote and did not report: the next daemon records that end", async () => {
    await using world = await openStopping();
    const run = await startRun(world.daemon, await world.makeNoted(world.untilGo));
    await untilState(world.daemon, run, "running");
    await world.stopDaemon();
    await world.go();
    await until("the end", () => someClaimHasEnd(world.dataDir));
    world.signal("SIGSTOP");
    const stoppedAtMs = performance.now();
    await world.restart();
    expect(await untilEnd(world.daemon, run)).toMatchObject(itsOwnEnd);
    const other = await startRun(world.daemon, await world.makeNoted(":"));
    expect(await untilEnd(world.daemon, other)).toMatchObject(itsOwnEnd);
    await meetFate(world, fate, stoppedAtMs);
    await expectNoClaims(world, fate, [run]);
    expect(await getRun(world.daemon, run)).toMatchObject(itsOwnEnd);
    expect(await world.countStarts(run)).toBe(1);
  });
});

async function hasCause(world: Stopping, run: Json): Promise<boolean> {
  return (await claimsOn(world, [run])).some(({ cause }) => cause === "cancelled");
}

async function countAll(world: Stopping, runs: readonly Json[]): Promise<number> {
  return (await Promise.all(runs.map(world.countStarts))).reduce((sum, count) => sum + count, 0);
}

async function countEnded({ daemon }: Stopping, runs: readonly Json[]): Promise<number> {
  return (await Promise.all(runs.map((run) => getRun(daemon, run)))).filter((run) => run.ended_at !== null).length;
}

/** When a run started, by the clock of `performance.now`. */
async function startOf({ daemon }: Stopping, run: Json): Promise<number> {
  return Date.parse((await getRun(daemon, run)).started_at) - performance.timeOrigin;
}

function isLike(run: Json, state: object): boolean {
  return Object.entries(state).every(([name, value]) => run[name] === value);
}
