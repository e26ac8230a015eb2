import { tempDir, until } from "@belfry/test-kit";
import { readFileSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createLog, systemClock } from "../../../src/index.ts";
import { type Claim, readClaim, readEnd } from "../../../src/runner/claims/claim.ts";
import { claimFolder, liveFolder } from "../../../src/runner/places.ts";
import { isAlive, type RunnerIdentity } from "../../../src/runner/identity.ts";
import { type Harness, type Json, startDaemon } from "../harness.ts";
import { link } from "../chains.ts";
import { listRuns, makeTask, runOnce, startRun, untilEnd, waitFor } from "../tasks.ts";
import { killSurvivors, runnersOf } from "./runners.ts";

/** A task's exit code that no shell returns by itself. */
export const exitCode = 7;

/** A daemon whose runner a test stops, with a place for the notes of its tasks. */
export async function openStopping(runsAtOnceMax = 16) {
  const place = await tempDir("bs-");
  const ledger = join(place.path, "ledger");
  let stopAt: string | null = null;
  const log = createLog(systemClock, "info", [({ event }) => void (event === stopAt && signal("SIGSTOP"))]);
  const options = { log, config: { runsAtOnceMax }, dataDir: join(place.path, "data") };
  let daemon: Harness = await startDaemon(options);
  await writeFile(ledger, "");
  await runOnce(daemon, ":");
  // a runner that is stopped now would keep this claim too
  await until("no claim", async () => (await readdir(liveFolder(options.dataDir))).length === 0);
  const [runner] = runnersOf(options.dataDir);
  const signal = (sent: NodeJS.Signals): void => void process.kill(runner!.pid, sent);
  return {
    dataDir: options.dataDir,
    place: place.path,
    runner: runner!,
    get daemon() {
      return daemon;
    },
    stopDaemon: () => daemon.stop(),
    restart: async () => {
      daemon = await startDaemon(options);
    },
    /** A task that notes each start. `RUNNER` is the runner's process. */
    makeNoted: (script: string, more: object = {}): Promise<Json> =>
      makeTask(daemon, `echo "$BELFRY_RUN_ID" >> "$PLACE/ledger"; ${script}; exit ${exitCode}`, {
        environment: { PLACE: place.path, RUNNER: String(runner!.pid) },
        ...more,
      }),
    untilGo: waitFor(`${place.path}/go`),
    go: () => writeFile(join(place.path, "go"), ""),
    /** How often this run has started. */
    countStarts: async ({ id }: { readonly id: string }): Promise<number> =>
      (await readFile(ledger, "utf8")).split("\n").filter((line) => line === id).length,
    signal,
    /** Stops the runner when the daemon logs this event, before the daemon sends its next orders. */
    stopAtEvent: (event: string): void => void (stopAt = event),
    untilStopped: () => until("the runner is stopped", () => stateOf(runner!) === "T"),
    untilGone: () => until("the runner is gone", () => !isAlive(runner!)),
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await daemon[Symbol.asyncDispose]();
      await killSurvivors(`PLACE=${place.path}`);
      await place[Symbol.asyncDispose]();
    },
  };
}

export type Stopping = Awaited<ReturnType<typeof openStopping>>;

/** `T` for a stopped process. */
function stateOf({ pid }: RunnerIdentity): string {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2)[0]!;
}

/** Starts these tasks with one write, as the targets of one source, so that their orders arrive together. */
export async function startTogether(
  { daemon }: Stopping,
  source: Json,
  targets: readonly Json[],
): Promise<readonly Json[]> {
  for (const target of targets) await link(daemon, source, target);
  await startRun(daemon, source);
  return Promise.all(
    targets.map(({ id }) => until("its run", async () => (await listRuns(daemon, `task_id=${id}`))[0] ?? null)),
  );
}

/**
 * Starts a run of this task, whose process has exited while another one keeps its output open: in that second the runner
 * is stopped. If the stop comes later, after the run's end, another run is started.
 */
export async function startDraining(world: Stopping, make: (script: string) => Promise<Json>): Promise<Json> {
  // the runner has read the exit once there is no main process any more
  const background = `(while [ -e /proc/$$ ]; do sleep 0.01; done; kill -STOP $RUNNER; BACKGROUND=$PLACE exec sleep 3600) &`;
  for (;;) {
    const run = await startRun(world.daemon, await make(`${background} :`));
    await world.untilStopped();
    if (await isUnended(world, run)) return run;
    world.signal("SIGCONT");
    await untilEnd(world.daemon, run);
  }
}

async function isUnended({ dataDir }: Stopping, { id }: Json): Promise<boolean> {
  for (const attempt of await readdir(liveFolder(dataDir))) {
    const folder = claimFolder(dataDir, attempt);
    if ((await readClaim(folder))?.mark?.runId === id) return (await readEnd(folder)) === null;
  }
  return false;
}

export async function claimsOn({ dataDir }: Stopping, runs: readonly Json[]): Promise<readonly Claim[]> {
  const attempts = await readdir(liveFolder(dataDir));
  const claims = await Promise.all(attempts.map((attempt) => readClaim(claimFolder(dataDir, attempt))));
  return claims.filter((claim) => claim !== null).filter(({ mark }) => runs.some(({ id }) => id === mark?.runId));
}
