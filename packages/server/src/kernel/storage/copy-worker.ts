import BetterSqlite from "better-sqlite3";
import { parentPort, workerData } from "node:worker_threads";

export interface CopyRequest {
  readonly from: string;
  readonly to: string;
}

/** The pages of one slice, 256 KiB: the disk is free for the daemon's commits in between. */
const slicePages = 64;

/** Copies a database that is in use. The transaction keeps one state of it, so that no later commit restarts the copy. */
const pause = new Int32Array(new SharedArrayBuffer(4));
const pauseMs = 1;
const { from, to } = workerData as CopyRequest;
const source = new BetterSqlite(from, { readonly: true, fileMustExist: true });
source.exec("BEGIN");
source.pragma("schema_version");
await source.backup(to, {
  progress: () => {
    Atomics.wait(pause, 0, 0, pauseMs);
    return slicePages;
  },
});
source.close();
parentPort?.postMessage("copied");
