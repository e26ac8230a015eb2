import BetterSqlite from "better-sqlite3";
import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { checkDatabase } from "./database-check.ts";

export interface CopyRequest {
  readonly from: string;
  readonly to: string;
}

/** `problem`: why the copy is of no use; null if it is sound. */
export type CopyResult =
  | { readonly is: "copied"; readonly problem: string | null }
  | { readonly is: "failed"; readonly code: string | undefined; readonly message: string };

/** The pages of one slice, 256 KiB: the disk is free for the daemon's commits in between. */
const slicePages = 64;
const pause = new Int32Array(new SharedArrayBuffer(4));
const pauseMs = 1;
const { from, to } = workerData as CopyRequest;
/** On Linux, this thread alone: the daemon and its tasks come first. */
const lowPriority = 10;

try {
  setPriority(0, lowPriority);
  await copy();
  report({ is: "copied", problem: findProblem() });
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  report({ is: "failed", code, message });
}

/** Copies a database that is in use. The transaction keeps one state of it, so that no later commit restarts the copy. */
async function copy(): Promise<void> {
  const source = new BetterSqlite(from, { readonly: true, fileMustExist: true });
  try {
    source.exec("BEGIN");
    source.pragma("schema_version");
    await source.backup(to, {
      progress: () => {
        Atomics.wait(pause, 0, 0, pauseMs);
        return slicePages;
      },
    });
  } finally {
    source.close();
  }
}

/** Reads the whole copy as a restore does, because a damaged database can be copied like any other. */
function findProblem(): string | null {
  for (const { table, problems } of checkDatabase(to)) {
    if (problems.length > 0) return `${table === null ? "" : `table ${table}: `}${problems[0]}`;
  }
  return null;
}

function report(result: CopyResult): void {
  parentPort?.postMessage(result);
}
