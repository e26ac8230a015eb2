import { closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs";

const tailBytes = 256 * 1024;

export interface LogLine {
  readonly at: string;
  readonly level: string;
  readonly event: string;
  /** The process that the event is about. */
  readonly pid: number | null;
  /** The file that the event is about. */
  readonly path: string | null;
}

/** Reads the end of the daemon's log. */
export function readLogTail(path: string): readonly LogLine[] {
  return readTail(path).flatMap(parseLine);
}

function readTail(path: string): readonly string[] {
  // the log is created with its first line
  if (!existsSync(path)) return [];
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(Math.min(size, tailBytes));
    const read = readSync(file, bytes, 0, bytes.length, size - bytes.length);
    return bytes.subarray(0, read).toString("utf8").split("\n");
  } finally {
    closeSync(file);
  }
}

/** The first line of the tail can be incomplete. */
function parseLine(text: string): LogLine[] {
  try {
    const { at, level, event, pid = null, path = null } = JSON.parse(text) as Partial<LogLine>;
    return at !== undefined && level !== undefined && event !== undefined ? [{ at, level, event, pid, path }] : [];
  } catch {
    return [];
  }
}
