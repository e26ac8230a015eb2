import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { findDaemonProgram } from "../daemon/executable.ts";
import { exitCodes } from "../exit-codes.ts";
import { Failure } from "../failure.ts";
import type { Output } from "../output/output.ts";
import type { Finding } from "./finding.ts";

/** One line of the daemon's program about one table. */
interface TableCheck {
  readonly table: string | null;
  readonly problems: readonly string[];
}

/** Reads the whole database in a process of its own: the daemon goes on meanwhile, and need not run. */
export async function checkDatabase(dataDir: string, out: Output): Promise<readonly Finding[]> {
  const checks: TableCheck[] = [];
  const words = [...process.execArgv, fileURLToPath(findDaemonProgram()), "--check-database", "--data-dir", dataDir];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  const ended = once(child, "close");
  using _ = out.progress(() => `Checking the database: ${checks.length} tables so far`);
  for await (const line of createInterface({ input: child.stdout })) checks.push(JSON.parse(line) as TableCheck);
  await ended;
  if (checks.length === 0) throw new Failure(exitCodes.failed, `the database cannot be checked: ${said.trim()}`);
  const damaged = checks.filter(({ problems }) => problems.length > 0);
  if (damaged.length === 0)
    return [{ subject: "database", level: "good", text: `${checks.length} tables, no damage found` }];
  return damaged.map(({ table, problems }) => ({
    subject: "database",
    level: "bad",
    text: `${table === null ? "" : `table ${table}: `}${problems.join("; ")}`,
  }));
}
