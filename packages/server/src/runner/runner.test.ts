import { ManualClock, tempDir } from "@belfry/test-kit";
import { mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { readClaim } from "./claims/claim.ts";
import { Claims } from "./claims/claims.ts";
import { becomeRunner } from "./identity.ts";
import { type AttemptSpec, type Report, startVersionOf } from "./protocol/messages.ts";
import { claimFolder, liveFolder, runnerPlaces } from "./places.ts";
import { Runner, type RunnerOptions } from "./runner.ts";
import { OpenFiles } from "./processes/limits.ts";
import { Scanner } from "./processes/scanner.ts";
import { createPlanStart, type StartPlan } from "./users/plan-start.ts";

const spec: AttemptSpec = {
  program: "/bin/sh",
  arguments: ["-c", "true"],
  directory: "/",
  // a stop ends what has this mark on the whole machine, also in another run of these tests
  environment: { PATH: "/usr/bin:/bin", BELFRY_RUN_ID: `run_${process.pid}`, BELFRY_ATTEMPT: "1" },
  standardInput: null,
  timeoutMs: null,
  graceMs: 0,
  outputBytesMax: 1_024,
};

async function openRunner(more: Partial<RunnerOptions> = {}) {
  const dir = await tempDir("br-");
  const identity = becomeRunner(dir.path, "r1");
  const clock = new ManualClock();
  mkdirSync(liveFolder(dir.path), { recursive: true });
  const reports: Report[] = [];
  let onReport = (): void => {};
  const runner = new Runner({
    dataDir: dir.path,
    runner: identity,
    clock,
    cgroups: null,
    arePlacesGone: () => false,
    scanner: new Scanner(clock),
    planStart: createPlanStart({ clock, sharedFolder: join(dir.path, "shared") }),
    log: () => {},
    openFiles: new OpenFiles(null),
    send: (report) => {
      reports.push(report);
      onReport();
    },
    onChange: () => {},
    ...more,
  });
  /** Resolves with the first report of this kind after `from`. */
  const untilReport = (kind: Report["is"], from = 0): Promise<void> =>
    new Promise((resolve) => {
      onReport = () => {
        if (reports.slice(from).some(({ is }) => is === kind)) resolve();
      };
      onReport();
    });
  return {
    clock,
    untilReport,
    dataDir: dir.path,
    identity,
    reports,
    runner,
    start: (attempt: string, script = "true") =>
      runner.handle({
        do: "start",
        version: startVersionOf(spec),
        attempt,
        spec: { ...spec, arguments: ["-c", script] },
      }),
    /** Orders a list in this turn of the event loop. Returns the reports up to and including `listed`. */
    list: async (): Promise<string[]> => {
      const from = reports.length;
      const listed = untilReport("listed", from);
      runner.handle({ do: "list" });
      await listed;
      return reports.slice(from).map((report) => ("attempt" in report ? `${report.is} ${report.attempt}` : report.is));
    },
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

/** No claim can be created while a file is in the place of the claims' folder. */
function refuseClaims(dataDir: string): void {
  rmdirSync(liveFolder(dataDir));
  writeFileSync(liveFolder(dataDir), "");
}

test("a list names every attempt whose claim failed and whose end is not reported yet", async () => {
  await using place = await openRunner();
  refuseClaims(place.dataDir);
  place.start("a");
  place.runner.handle({ do: "cancel", attempt: "b", cause: "cancelled", graceMs: 0 });
  expect((await place.list()).sort()).toEqual(["ended a", "ended a", "ended b", "ended b", "listed"]);
  expect(place.reports.at(-1)).toEqual({ is: "listed" });
  const end = place.reports.find((report) => report.is === "ended" && report.attempt === "a");
  expect(end).toMatchObject({ end: { cause: "spawn_error", pid: null } });
});

test("an attempt that a list does not name has its claim on disk, or was refused", async () => {
  await using place = await openRunner();
  const theirs = { ...place.identity, id: "r2" };
  mkdirSync(runnerPlaces(place.dataDir, theirs.id).pipes);
  new Claims(place.dataDir, theirs).make("theirs", { mark: null, graceMs: 0 })!.close();
  place.start("theirs");
  place.start("mine");
  const answers = await place.list();
  expect(answers).toContain("refused theirs");
  expect(answers.at(-1)).toBe("listed");
  expect(await readClaim(claimFolder(place.dataDir, "mine"))).toMatchObject({ runner: { id: "r1" } });
  await place.untilReport("ended");
});

test("a list names an attempt whose program is being started", async () => {
  const planned = Promise.withResolvers<StartPlan>();
  await using place = await openRunner({ planStart: () => planned.promise });
  place.start("a");
  expect(await place.list()).toEqual(["claimed a", "listed"]);
  planned.reject(new Error("no plan"));
  await place.untilReport("ended");
});

test("a cancel ends a start that hangs, and what was made for the start later is removed", async () => {
  const planned = Promise.withResolvers<StartPlan>();
  const discarded = Promise.withResolvers<void>();
  await using place = await openRunner({ planStart: () => planned.promise });
  place.start("a");
  place.runner.handle({ do: "cancel", attempt: "a", cause: "cancelled", graceMs: 0 });
  await place.untilReport("ended");
  expect(place.reports).toMatchObject([{ is: "ended", attempt: "a", end: { cause: "cancelled", pid: null } }]);
  const plan: StartPlan = { ...spec, owner: null, discard: async () => discarded.resolve() };
  planned.resolve(plan);
  await discarded.promise;
});

/** Limits that call `onSpawn` after each start of a process. */
function limitsThatTell(onSpawn: () => void): OpenFiles {
  const limits = new OpenFiles(null);
  const start = limits.start.bind(limits);
  return Object.assign(limits, {
    start: <T>(begin: () => T): T => {
      const started = start(begin);
      onSpawn();
      return started;
    },
  });
}

test("of programs that are to start together, each has started before anything else is done for them", async () => {
  const told: string[] = [];
  await using place = await openRunner({
    openFiles: limitsThatTell(() => void told.push("spawned")),
    send: ({ is }) => void told.push(is),
  });
  for (let each = 0; each < 20; each++) place.start(`a${each}`);
  while (told.length < 40) await setTimeout(1);
  expect(told.slice(0, 40)).toEqual([...Array<string>(20).fill("spawned"), ...Array<string>(20).fill("started")]);
});

test("a cancel that comes between the start of the program and its report stops the program", async () => {
  let isSpawned = false;
  await using place = await openRunner({ openFiles: limitsThatTell(() => (isSpawned = true)) });
  place.start("a", "sleep 60");
  // no other turn of the event loop begins meanwhile
  while (!isSpawned) await Promise.resolve();
  place.runner.handle({ do: "cancel", attempt: "a", cause: "cancelled", graceMs: 0 });
  expect(place.reports).toEqual([]);
  await advanceUntil(place.clock, place.untilReport("ended"));
  expect(place.reports).toMatchObject([
    { is: "started", attempt: "a" },
    { is: "ended", attempt: "a", end: { cause: "cancelled", signal: "SIGKILL" } },
  ]);
});

/** Limits under which exactly so many tasks can start beside these leftovers. */
function limitsFor({ leftovers, starts }: { readonly leftovers: number; readonly starts: number }) {
  const own = 64;
  const softMax = own + 2 * leftovers + 6 * starts;
  return {
    softMax,
    movableMax: 0,
    start: <T>(begin: () => T): T => begin(),
    moveUp: () => null,
  } as unknown as OpenFiles;
}

test("a task that is starting hides no file that a leftover holds", async () => {
  const leftovers = 4;
  const plan = createPlanStart({ clock: new ManualClock(), sharedFolder: "/nowhere" });
  let isHanging = false;
  await using place = await openRunner({
    openFiles: limitsFor({ leftovers, starts: 5 }),
    planStart: (attempt, its) => (isHanging ? new Promise(() => {}) : plan(attempt, its)),
  });
  for (let each = 0; each < leftovers; each++) {
    const from = place.reports.length;
    place.start(`leaver-${each}`, `while [ -d '${place.dataDir}' ]; do sleep 0.05; done & exit 0`);
    await place.untilReport("started", from);
    // the runner waits for the pipes after the exit
    const ended = place.untilReport("ended", from);
    await advanceUntil(place.clock, ended);
  }
  isHanging = true;
  for (let each = 0; each < 10; each++) place.start(`late-${each}`);
  expect(place.reports.filter(({ is }) => is === "returned")).toHaveLength(5);
});

/** Lets the clock run until the promise has settled. */
async function advanceUntil(clock: ManualClock, settled: Promise<unknown>): Promise<void> {
  let isSettled = false;
  void settled.finally(() => (isSettled = true));
  while (!isSettled) {
    await clock.advance(100);
    await setTimeout(5);
  }
}
