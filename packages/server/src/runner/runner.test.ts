import { ManualClock, tempDir, until } from "@belfry/test-kit";
import { mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readClaim } from "./claims/claim.ts";
import { makeClaim } from "./claims/claim-file.ts";
import { becomeRunner } from "./identity.ts";
import { type AttemptSpec, type Report, startVersion } from "./protocol/messages.ts";
import { Pipes } from "./output/pipes.ts";
import { claimFolder, liveFolder, runnerPlaces } from "./places.ts";
import { Runner } from "./runner.ts";
import { Scanner } from "./processes/scanner.ts";

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
  const told: Report[] = [];
  const runner = new Runner({
    dataDir: dir.path,
    runner: identity,
    clock,
    pipes: new Pipes(runnerPlaces(dir.path, "r1").pipes),
    arePlacesGone: () => false,
    scanner: new Scanner(clock),
    log: () => {},
    openFilesMax: 1_024,
    tell: (report) => told.push(report),
    onChange: () => {},
  });
  return {
    dataDir: dir.path,
    identity,
    told,
    runner,
    start: (attempt: string) => runner.obey({ do: "start", version: startVersion, attempt, spec }),
    /** What is told up to and with the answer to a list that is asked for now, in this very turn. */
    list: async (): Promise<string[]> => {
      const from = told.length;
      runner.obey({ do: "list" });
      await until("listed", () => told.slice(from).some(({ is }) => is === "listed"));
      return told.slice(from).map((report) => ("attempt" in report ? `${report.is} ${report.attempt}` : report.is));
    },
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

/** No claim can be made while a file lies where the claims' folder belongs. */
function refuseClaims(dataDir: string): void {
  rmdirSync(liveFolder(dataDir));
  writeFileSync(liveFolder(dataDir), "");
}

test("a list is silent about no attempt whose claim has failed and whose end is not told yet", async () => {
  await using place = await openRunner();
  refuseClaims(place.dataDir);
  place.start("a");
  place.runner.obey({ do: "cancel", attempt: "b", cause: "cancelled", graceMs: 0 });
  expect((await place.list()).sort()).toEqual(["ended a", "ended a", "ended b", "ended b", "listed"]);
  expect(place.told.at(-1)).toEqual({ is: "listed" });
  const end = place.told.find((report) => report.is === "ended" && report.attempt === "a");
  expect(end).toMatchObject({ end: { cause: "spawn_error", pid: null } });
});

test("a list that does not name an attempt finds its claim on disk, or finds that it has left", async () => {
  await using place = await openRunner();
  const theirs = { ...place.identity, id: "r2" };
  mkdirSync(runnerPlaces(place.dataDir, theirs.id).pipes);
  makeClaim(place.dataDir, "theirs", { runner: theirs, mark: null, graceMs: 0 })!.close();
  place.start("theirs");
  place.start("mine");
  const answers = await place.list();
  expect(answers).toContain("refused theirs");
  expect(answers.at(-1)).toBe("listed");
  expect(await readClaim(claimFolder(place.dataDir, "mine"))).toMatchObject({ runner: { id: "r1" } });
  await until("the end of its own", () => place.told.some((report) => report.is === "ended"));
});
