import { existsSync } from "node:fs";
import { join } from "node:path";
import { findBrokenReferences } from "./doc-refs.ts";
import { findLooseVersions } from "./loose-versions.ts";
import { repository, runCommand } from "./run-command.ts";

export interface StepResult {
  readonly name: string;
  /** The description of what is wrong; empty if the step passes. */
  readonly complaint: string;
  readonly tookMs: number;
}

interface Step {
  readonly name: string;
  readonly findComplaint: () => Promise<string>;
}

const describeOpenapi = "packages/contract/src/openapi/write.ts";
const describeWebhooks = "packages/contract/write-webhook-schema.ts";
const describeCommands = "apps/cli/write-command-reference.ts";

const steps: readonly Step[] = [
  { name: "format", findComplaint: () => complaintOf("oxfmt", ["--check"]) },
  { name: "lint", findComplaint: () => complaintOf("oxlint", ["--config", "oxlint.config.ts", "--deny-warnings"]) },
  { name: "types", findComplaint: () => complaintOf("tsc", ["-p", "tsconfig.json"]) },
  { name: "types of the screens", findComplaint: () => complaintOf("tsc", ["-p", "apps/desktop/tsconfig.json"]) },
  // builds the libraries as they are published: each is built from the declarations of the others
  { name: "libraries", findComplaint: () => complaintOf("turbo", ["run", "build", "--output-logs=errors-only"]) },
  ...(existsSync(join(repository, describeOpenapi)) ? [openapiStep()] : []),
  { name: "webhook schema and fixtures", findComplaint: () => complaintOfDocuments(describeWebhooks) },
  { name: "command reference", findComplaint: () => complaintOfDocuments(describeCommands) },
  { name: "references in documents", findComplaint: async () => findBrokenReferences(repository).join("\n") },
  { name: "versions from the catalog", findComplaint: async () => findLooseVersions(repository).join("\n") },
];

/** Runs every step, two at a time, and reports them in the order of the list; a failing step does not hide the others. */
export async function verify(): Promise<readonly StepResult[]> {
  const runs: Promise<StepResult>[] = [];
  for (const [index, step] of steps.entries()) runs.push(runStep(step, runs[index - 2]));
  const results: StepResult[] = [];
  for (const run of runs) {
    const result = await run;
    results.push(result);
    console.log(`${result.complaint === "" ? "pass" : "FAIL"}  ${result.name}  ${(result.tookMs / 1000).toFixed(1)} s`);
  }
  const failed = results.filter(({ complaint }) => complaint !== "");
  for (const { name, complaint } of failed) console.log(`\n--- ${name}\n${complaint.trimEnd()}`);
  return results;
}

async function runStep({ name, findComplaint }: Step, before: Promise<unknown> | undefined): Promise<StepResult> {
  await before;
  const startedAt = performance.now();
  const complaint = await findComplaint().catch(String);
  return { name, complaint, tookMs: performance.now() - startedAt };
}

async function complaintOf(command: string, args: readonly string[]): Promise<string> {
  const { exitCode, output } = await runCommand(command, args);
  return exitCode === 0 ? "" : output || `${command} ended with ${exitCode}`;
}

function openapiStep(): Step {
  return { name: "OpenAPI document", findComplaint: () => complaintOfDocuments(describeOpenapi) };
}

/** Checks that the committed files equal what the script writes. */
function complaintOfDocuments(script: string): Promise<string> {
  return complaintOf("node", ["--conditions=@belfry/source", script, "--check"]);
}

if (import.meta.main) {
  const failed = (await verify()).filter(({ complaint }) => complaint !== "");
  if (failed.length > 0) console.log(`\nfailed: ${failed.map(({ name }) => name).join(", ")}`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}
