import { join } from "node:path";
import { tempDir } from "@belfry/test-kit";
import { runCommand } from "../../scripts/run-command.ts";
import { findIsolation, startIsolatedDaemon } from "./isolated-daemon.ts";
import { home } from "./linters.ts";

const configuration = join(home, "schemathesis");
/** Enough to cover the cases of every operation, in about two minutes on two processors. */
const casesPerOperation = 8;
const seed = 20_260;

export type FuzzResult =
  | { readonly isDone: false; readonly reason: string }
  | { readonly isDone: true; readonly figures: string; readonly complaint: string };

/** Sends a daemon requests that its API document allows or forbids, and checks each answer against the document. */
export async function fuzzApi(): Promise<FuzzResult> {
  const named = process.env["BELFRY_SCHEMATHESIS"];
  const program = named ?? "schemathesis";
  const isInstalled = (await runCommand(program, ["--version"])).exitCode === 0;
  const isolation = isInstalled ? await findIsolation() : undefined;
  if (isolation !== undefined) return runSchemathesis(program, isolation);

  const reason = isInstalled
    ? "unshare cannot isolate a daemon on this machine"
    : `${program} is not installed here. Install it with: pip install -r tooling/document-check/schemathesis/requirements.txt`;
  // the caller asked for this program, so its absence is a failure
  return named === undefined ? { isDone: false, reason } : { isDone: true, figures: "", complaint: reason };
}

async function runSchemathesis(program: string, isolation: readonly string[]): Promise<FuzzResult> {
  await using daemon = await startIsolatedDaemon(isolation);
  // Schemathesis writes files into its working directory
  await using cwd = await tempDir();
  const options = ["--checks", "all", "--seed", `${seed}`, "--max-examples", `${casesPerOperation}`, "--no-color"];
  const args = ["run", `${daemon.origin}/v1/openapi.json`, ...options, "--request-timeout", "10"];
  const { exitCode, output } = await runCommand(
    program,
    ["--config-file", join(configuration, "schemathesis.toml"), ...args],
    {
      cwd: cwd.path,
      env: { ...process.env, SCHEMATHESIS_HOOKS: join(configuration, "hooks.py"), PYTHONDONTWRITEBYTECODE: "1" },
    },
  );
  const summaryAt = output.search(/^=+ SUMMARY =+$/m);
  const figures = summaryAt === -1 ? "" : output.slice(summaryAt);
  return { isDone: true, figures, complaint: exitCode === 0 && figures !== "" ? "" : output };
}
