import { fuzzApi } from "../document-check/src/fuzz.ts";
import type { Tally } from "./tally.ts";

const name = "the daemon keeps to its API document (Schemathesis)";

/** Counts the fuzz run as one test. A run that is left out counts as none. */
export async function runFuzz(): Promise<Tally> {
  const startedAt = performance.now();
  const result = await fuzzApi();
  if (!result.isDone) {
    console.log(`left out  ${name}: ${result.reason}`);
    return { passed: 0, failed: 0 };
  }
  const isPassed = result.complaint === "";
  console.log(isPassed ? result.figures.trimEnd() : `--- ${name}\n${result.complaint.trimEnd()}`);
  console.log(`${isPassed ? "pass" : "FAIL"}  ${name}  ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  return isPassed ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

if (import.meta.main) process.exitCode = (await runFuzz()).failed;
