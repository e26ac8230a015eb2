import { ManualClock, tempDir } from "@belfry/test-kit";
import { mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readClaim } from "./claims/claim.ts";
import { Claims } from "./claims/claims.ts";
import { becomeRunner } from "./identity.ts";
import { type AttemptSpec, type Report, startVersionOf } from "./protocol/messages.ts";
import { claimFolder, liveFolder, runnerPlaces } from "./places.ts";
import { Runner } from "./runner.ts";
import { OpenFiles } from "./processes/limits.ts";
import { Scanner } from "./processes/scanner.ts";
import { createPlanStart } from "./users/plan-start.ts";

const spec: AttemptSpec = {
  program: "/bin/sh",
  arguments: ["-c", "true"],
  directory: "/",
  environment: { PATH: "/usr/bin:/bin", BELFRY_RUN_ID: "run_1", BELFRY_ATTEMPT: "1" },
  standardInput: null,
  timeoutMs: null,
  graceMs: 0,
  outputBytesMax: 1_024,
};

async function openRunner() {
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
    untilReport,
    dataDir: dir.path,
    identity,
    reports,
    runner,
    start: (attempt: string) => runner.handle({ do: "start", version: startVersionOf(spec), attempt, spec }),
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
