import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runFuzz } from "./fuzz.ts";
import { runCommand } from "./run-command.ts";
import { tallyTests, type Tally, type VitestReport } from "./tally.ts";
import { verify } from "./verify.ts";

/** Runs everything that must pass before a change is delivered, and prints the result in one last line. */
const steps = await verify();
const brokenSteps = steps.filter(({ complaint }) => complaint !== "").length;
const tests = await runTests();
const fuzz = await runFuzz();
const passed = steps.length - brokenSteps + tests.passed + fuzz.passed;
const failed = brokenSteps + tests.failed + fuzz.failed;
process.exitCode = failed > 0 ? 1 : 0;
console.log(`${passed} passed, ${failed} failed`);

async function runTests(): Promise<Tally> {
  const folder = await mkdtemp(join(tmpdir(), "belfry-tests-"));
  try {
    const reportPath = join(folder, "report.json");
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${reportPath}`];
    const { exitCode } = await runCommand("vitest", ["run", ...reporters], { shows: "shown" });
    return tallyTests(await readReport(reportPath), exitCode);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readReport(path: string): Promise<VitestReport | undefined> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as VitestReport);
}
