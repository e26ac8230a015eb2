import { appendFile, rename, stat } from "node:fs/promises";
import { formatJsonLine, type LogSink } from "./log.ts";

const fileBytesMax = 10 * 1024 * 1024;
const olderFilesMax = 4;

/**
 * Keeps JSON lines in a file, five of ten megabytes at most. Lines wait in memory for one write at a time, so that a slow
 * disk never holds the daemon; where the disk takes none, lines are dropped, for the log must not be what fails.
 */
export function createLogFile(path: string): { readonly sink: LogSink; readonly flush: () => Promise<void> } {
  let waiting: string[] = [];
  let writing: Promise<void> | null = null;
  let bytes = -1;

  const writeAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const text = waiting.join("");
      waiting = [];
      try {
        if (bytes < 0)
          bytes = await stat(path).then(
            (found) => found.size,
            () => 0,
          );
        if (bytes > fileBytesMax) {
          await rotate(path);
          bytes = 0;
        }
        await appendFile(path, text, { mode: 0o600 });
        bytes += Buffer.byteLength(text);
      } catch {
        bytes = -1;
      }
    }
    writing = null;
  };

  return {
    sink: (entry) => {
      waiting.push(formatJsonLine(entry));
      writing ??= Promise.resolve().then(writeAll);
    },
    flush: async () => {
      await writing;
    },
  };
}

async function rotate(path: string): Promise<void> {
  for (let age = olderFilesMax - 1; age >= 1; age--)
    await rename(`${path}.${age}`, `${path}.${age + 1}`).catch(() => {});
  await rename(path, `${path}.1`);
}
