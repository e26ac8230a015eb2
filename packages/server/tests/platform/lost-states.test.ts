import { until } from "@belfry/test-kit";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Claim } from "../../src/runner/claims/claim.ts";
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
import { cancel, getRun, makeTask, startRun, untilEnd, untilState } from "../support/tasks.ts";

const itsOwnEnd = { state: "failed", reason: "exit_code", exit_code: exitCode, attempt: 1 };
const cancelled = { state: "cancelled", reason: "cancelled", attempt: 1 };
const timedOut = { state: "failed", reason: "timeout", attempt: 1 };

/** What becomes of a run whose attempt was lost: only here the setting counts. */
const ofLost = {
  fail: { end: { state: "failed", reason: "lost", attempt: 1 }, starts: 1 },
  retry: { end: { ...itsOwnEnd, attempt: 2 }, starts: 2 },
} as const;

/** Resolves when a claim on the run notes this. */
async function untilNoted(world: Stopping, run: Json, note: (claim: Claim) => boolean): Promise<void> {
  await until("the note in the claim", async () => (await claimsOn(world, [run])).some(note));
}

/** Each start of an attempt, as `run attempt`. */
async function startsOf(world: Stopping): Promise<readonly string[]> {
  const text = await readFile(join(world.place, "starts"), "utf8").catch(() => "");
  return text.split("\n").filter((line) => line !== "");
}

describe.concurrent.each(["fail", "retry"] as const)("a runner that is killed, with on_lost %s", (on_lost) => {
  const lost = ofLost[on_lost];

  async function open(runsAtOnceMax: number) {
    const world = await openStopping(runsAtOnceMax);
    return {
      ...world,
      get daemon() {
        return world.daemon;
      },
      makeNoted: (script: string, more: object = {}): Promise<Json> =>
        world.makeNoted(`echo "$BELFRY_RUN_ID $BELFRY_ATTEMPT" >> "$PLACE/starts"; ${script}`, {
          on_lost,
          retry: { max_attempts: 1, delay: "0s" },
          ...more,
        }),
      /** Expects that no attempt has started twice, and that the run has started so often. */
      expectStarts: async (run: Json, count: number, what: string): Promise<void> => {
        const starts = await startsOf(world);
        expect(new Set(starts).size).toBe(starts.length);
        expect(starts.filter((start) => start.startsWith(run.id)).length, what).toBe(count);
      },
    };
  }

  test("with an attempt in every state: only a lost attempt is retried, and none starts twice", async () => {
    await using world = await open(6);
    const { daemon } = world;
    const start = async (script: string, more: object = {}) => startRun(daemon, await world.makeNoted(script, more));
    const stubborn = `trap '' TERM; ${world.untilGo}`;
    const slow = { kill_grace: "1h" };

    const pausing = await start(":", { retry: { max_attempts: 2, delay: "1h" } });
    await untilState(daemon, pausing, "queued");
    const running = await start(world.untilGo);
    const stopping = await start(stubborn, slow);
    const timed = await start(stubborn, { ...slow, timeout: "20s" });
    const left = `(trap '' TERM; echo > "$PLACE/trapped"; ${world.untilGo}) & until [ -e "$PLACE/trapped" ]; do sleep 0.02; done`;
    const leaving = await start(left, { ...slow, leftovers: "kill" });
    for (const run of [running, stopping]) await untilState(daemon, run, "running");
    await until("their notes", async () => (await startsOf(world)).length === 5);
    await cancel(daemon, stopping);
    await untilNoted(world, stopping, ({ cause }) => cause === "cancelled");
    await untilNoted(world, timed, ({ cause }) => cause === "timeout");
    await untilNoted(world, leaving, ({ exit }) => exit?.exitCode === exitCode);
    const draining = await startDraining(world, world.makeNoted);
    const [unread, waiting] = [await start(":"), await start(":")];
    await untilState(daemon, unread, "dispatching");
    expect(await getRun(daemon, waiting)).toMatchObject({ state: "queued" });

    world.signal("SIGKILL");
    await world.go();
    for (const [what, run, { end, starts }] of [
      ["running", running, lost],
      ["draining", draining, lost],
      ["stopping", stopping, { end: cancelled, starts: 1 }],
      ["timed out", timed, { end: timedOut, starts: 1 }],
      ["ending its leftovers", leaving, { end: itsOwnEnd, starts: 1 }],
      ["not read", unread, { end: itsOwnEnd, starts: 1 }],
      ["queued", waiting, { end: itsOwnEnd, starts: 1 }],
    ] as const) {
      // the second attempt of the draining one signals a runner that is gone
      expect(await untilEnd(daemon, run), what).toMatchObject(end);
      await world.expectStarts(run, starts, what);
    }
    expect(await getRun(daemon, pausing)).toMatchObject({ state: "queued" });
    await world.expectStarts(pausing, 1, "between two attempts");
    await killSurvivors(`BACKGROUND=${world.place}`);
  });

  test("between claims and the start of their processes: the claimed attempts are lost, the others start once", async () => {
    await using world = await open(16);
    const { daemon } = world;
    const script = `mkdir "$PLACE/first" 2>/dev/null && kill -STOP $RUNNER; ${world.untilGo}`;
    const tasks = await Promise.all(Array.from({ length: 6 }, () => world.makeNoted(script)));
    const runs = await startTogether(world, await makeTask(daemon, ":"), tasks);
    await world.untilStopped();
    const claimed = new Set((await claimsOn(world, runs)).map(({ mark }) => mark?.runId));
    expect(claimed.size).toBeGreaterThan(0);
    world.signal("SIGKILL");
    await world.go();
    for (const run of runs) {
      const end = await untilEnd(daemon, run);
      expect(end).toMatchObject(claimed.has(run.id) ? lost.end : itsOwnEnd);
    }
    const starts = await startsOf(world);
    // a lost attempt may have started or not, and no attempt starts twice
    expect(new Set(starts).size).toBe(starts.length);
    for (const { id } of runs) {
      const last = claimed.has(id) ? lost.end.attempt : 1;
      if (!claimed.has(id) || on_lost === "retry") expect(starts).toContain(`${id} ${last}`);
    }
  });

  test("with an end that it wrote and did not report: the attempt is not lost", async () => {
    await using world = await open(6);
    const run = await startRun(world.daemon, await world.makeNoted(world.untilGo));
    await untilState(world.daemon, run, "running");
    await world.stopDaemon();
    await world.go();
    await until("the end", () => someClaimHasEnd(world.dataDir));
    world.signal("SIGKILL");
    await world.untilGone();
    await world.restart();
    expect(await untilEnd(world.daemon, run)).toMatchObject(itsOwnEnd);
    await world.expectStarts(run, 1, "ended");
  });
});
