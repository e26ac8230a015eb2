import { type FileHandle, open, rename } from "node:fs/promises";
import { systemClock } from "../time/clock.ts";
import { formatJsonLine, type LogSink } from "./log.ts";

const fileBytesMax = 10 * 1024 * 1024;
const olderFilesMax = 4;

/** The file is opened by its name again after this time, because it may have been moved or removed. */
const openMsMax = 1_000;

interface OpenFile {
  readonly handle: FileHandle;
  readonly openedMs: number;
  bytes: number;
}

export interface LogFile {
  readonly sink: LogSink;
  /** Writes the pending lines. */
  readonly flush: () => Promise<void>;
  /** Writes the pending lines and closes the file; a later line opens it again. */
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

/**
 * Writes JSON lines to at most five files of ten megabytes. Lines wait in memory for one write at a time, so that a
 * slow disk does not delay the daemon. If the disk accepts no line, lines are dropped: the log must not stop the
 * daemon.
 */
export function createLogFile(path: string): LogFile {
  let waiting: string[] = [];
  let writing: Promise<void> | null = null;
  let file: OpenFile | null = null;

  const writeAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const text = waiting.join("");
      waiting = [];
      try {
        const to = await openFile();
        await to.handle.appendFile(text);
        to.bytes += Buffer.byteLength(text);
      } catch {
        await close();
      }
    }
    writing = null;
  };

  const openFile = async (): Promise<OpenFile> => {
    const nowMs = systemClock.monotonicMs();
    if (file !== null && nowMs - file.openedMs < openMsMax && file.bytes <= fileBytesMax) return file;
    await close();
    file = await reopen(path, nowMs);
    if (file.bytes <= fileBytesMax) return file;
    await close();
    await rotate(path);
    file = await reopen(path, nowMs);
    return file;
  };

  const close = async (): Promise<void> => {
    const former = file;
    file = null;
    await former?.handle.close().catch(() => {});
  };

  const flush = async (): Promise<void> => {
    await writing;
  };

  return {
    sink: (entry) => {
      waiting.push(formatJsonLine(entry));
      writing ??= Promise.resolve().then(writeAll);
    },
    flush,
    [Symbol.asyncDispose]: () => flush().then(close),
  };
}

async function reopen(path: string, openedMs: number): Promise<OpenFile> {
  const handle = await open(path, "a", 0o600);
  return { handle, openedMs, bytes: (await handle.stat()).size };
}

async function rotate(path: string): Promise<void> {
  for (let age = olderFilesMax - 1; age >= 1; age--)
    await rename(`${path}.${age}`, `${path}.${age + 1}`).catch(() => {});
  await rename(path, `${path}.1`);
}
