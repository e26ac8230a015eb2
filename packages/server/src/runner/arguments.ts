import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { runnerPlaces } from "./places.ts";

export interface RunnerArguments {
  readonly dataDir: string;
  readonly id: string;
  /** The umask of tasks; null keeps this process's own umask. */
  readonly umask: number | null;
  /** The soft limit of open files for tasks; null keeps this process's own limit. */
  readonly openFilesMax: number | null;
}

const socketBytesMax = 107;

/**
 * Reads `--data-dir <dir> --id <id> [--umask <octal>] [--nofile <number>]`. Every user of the machine can see
 * arguments, so none is a secret.
 */
export function readArguments(args: readonly string[]): RunnerArguments {
  const { values } = parseArgs({
    args: [...args],
    options: {
      "data-dir": { type: "string" },
      id: { type: "string" },
      umask: { type: "string" },
      nofile: { type: "string" },
    },
  });
  const { "data-dir": dataDir, id, umask, nofile } = values;
  if (!dataDir) throw new Error("--data-dir is missing");
  if (!id || !/^\w+$/.test(id))
    throw new Error("--id is missing, or contains characters other than letters and digits");
  const { socket } = runnerPlaces(resolve(dataDir), id);
  const bytes = Buffer.byteLength(socket);
  if (bytes > socketBytesMax)
    throw new Error(`the socket path ${socket} has ${bytes} bytes; the system allows ${socketBytesMax}`);
  return {
    dataDir: resolve(dataDir),
    id,
    umask: umask === undefined ? null : readNumber("--umask", umask, 8),
    openFilesMax: nofile === undefined ? null : readNumber("--nofile", nofile, 10),
  };
}

function readNumber(option: string, text: string, base: 8 | 10): number {
  if (!(base === 8 ? /^[0-7]+$/ : /^\d+$/).test(text))
    throw new Error(`${option} must be a whole number, not ${JSON.stringify(text)}`);
  return Number.parseInt(text, base);
}
