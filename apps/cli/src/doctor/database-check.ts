import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { findDaemonProgram } from "../daemon/executable.ts";
import { exitCodes } from "../exit-codes.ts";
import { Failure } from "../failure.ts";
import type { Output } from "../output/output.ts";
import type { Finding } from "./finding.ts";

/** The result for one table: one line of the check's output. */
interface TableCheck {
  readonly table: string | null;
  readonly problems: readonly string[];
}

/** Reads the whole database in a separate process. The daemon can run meanwhile, but need not. */
export async function checkDatabase(dataDir: string, out: Output): Promise<readonly Finding[]> {
  const checks: TableCheck[] = [];
  const checkArguments = [
    ...process.execArgv,
    fileURLToPath(findDaemonProgram()),
    "--check-database",
    "--data-dir",
    dataDir,
  ];
  const child = spawn(process.execPath, checkArguments, { stdio: ["ignore", "pipe", "pipe"] });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const ended = once(child, "close");
  using _ = out.progress(
    () => `Checking the database: ${checks.length} ${checks.length === 1 ? "table" : "tables"} checked`,
  );
  for await (const line of createInterface({ input: child.stdout })) checks.push(JSON.parse(line) as TableCheck);
  await ended;
  if (checks.length === 0) throw new Failure(exitCodes.failed, `the database check failed: ${errors.trim()}`);
  const damaged = checks.filter(({ problems }) => problems.length > 0);
  if (damaged.length === 0)
    return [
      {
        subject: "database",
        level: "good",
        text: `${checks.length} ${checks.length === 1 ? "table" : "tables"}, no corruption found`,
      },
    ];
  return damaged.map(({ table, problems }) => ({
    subject: "database",
    level: "bad",
    text: `${table === null ? "" : `table ${table}: `}${problems.join("; ")}. Restore the database from a backup`,
  }));
}
