import { appendFile, appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../kernel/time/clock.ts";
import { formatInstant } from "../kernel/time/time.ts";

export type RunnerLog = (
  level: "info" | "warn" | "error",
  event: string,
  fields?: Readonly<Record<string, string | number>>,
) => void;

const bytesMax = 1024 * 1024;

/** After this event the process exits, and loses what is not yet written. */
const lastEvent = "runner.left";

/**
 * Opens the log. All runners share one file, and one older file is kept. No runner writes more than a megabyte in its
 * life.
 */
export function openLog(dataDir: string, runner: string, clock: Clock): RunnerLog {
  const path = join(dataDir, "log", "runner.log");
  mkdirSync(join(dataDir, "log"), { recursive: true, mode: 0o700 });
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > bytesMax) renameSync(path, `${path}.1`);
  let bytes = 0;
  return (level, event, fields = {}) => {
    const line = `${JSON.stringify({ at: formatInstant(clock.now()), level, event, runner, pid: process.pid, ...fields })}\n`;
    bytes += line.length;
    if (bytes > bytesMax) return;
    // a failed write must not end the runner
    if (event !== lastEvent) return appendFile(path, line, { mode: 0o600 }, () => {});
    try {
      appendFileSync(path, line, { mode: 0o600 });
    } catch {
      // the disk may be full
    }
  };
}
