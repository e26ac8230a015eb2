import BetterSqlite from "better-sqlite3";
import { closeSync, fdatasyncSync, openSync } from "node:fs";
import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { systemClock } from "../time/clock.ts";
import { restAfter } from "../time/pace.ts";
import { checkDatabase } from "./database-check.ts";

export interface CopyRequest {
  readonly from: string;
  readonly to: string;
}

export interface CopyOrder extends CopyRequest {
  /** Not zero once nobody wants the copy any more. Whoever changes it wakes those that wait for it. */
  readonly isAborted: Int32Array<SharedArrayBuffer>;
}

/** `problem`: why the copy is of no use; null if it is sound. */
export type CopyResult =
  | { readonly is: "copied"; readonly problem: string | null }
  | { readonly is: "failed"; readonly code: string | undefined; readonly message: string };

/** The pages of one slice, 64 KiB: the disk and a processor are free for the daemon in between. */
const slicePages = 16;
/** How many slices are written to the disk at once, 1 MiB: a commit of the daemon waits for all that is being written. */
const slicesPerSync = 16;
const restMinMs = 1;
const { from, to, isAborted } = workerData as CopyOrder;
/** On Linux, this thread alone: the daemon and its tasks come first, but do not keep a backup from ending. */
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
  const target = openSync(to, "w", 0o600);
  try {
    source.exec("BEGIN");
    source.pragma("schema_version");
    const rest = startWork();
    let slices = 0;
    await source.backup(to, {
      progress: () => {
        if (++slices % slicesPerSync === 0) fdatasyncSync(target);
        rest();
        return slicePages;
      },
    });
  } finally {
    source.close();
    closeSync(target);
  }
}

/** Reads the whole copy as a restore does, because a damaged database can be copied like any other. */
function findProblem(): string | null {
  const rest = startWork();
  for (const { table, problems, obstacle } of checkDatabase(to)) {
    if (obstacle !== undefined) throw obstacle;
    if (problems.length > 0) return `${table === null ? "" : `table ${table}: `}${problems[0]}`;
    rest();
  }
  return null;
}

/** Returns a function that rests, for as long as the work since the last rest demands. It throws once that is aborted. */
function startWork(): () => void {
  let begunAt = systemClock.monotonicMs();
  return () => {
    const restMs = Math.max(restMinMs, restAfter(systemClock.monotonicMs() - begunAt));
    if (Atomics.wait(isAborted, 0, 0, restMs) !== "timed-out") throw new Error("the copy was aborted");
    begunAt = systemClock.monotonicMs();
  };
}

function report(result: CopyResult): void {
  parentPort?.postMessage(result);
}
