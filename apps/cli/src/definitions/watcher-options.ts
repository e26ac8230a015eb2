import type { FilesystemWatcher } from "@belfry/client";
import { resolve } from "node:path";
import { literalsOf } from "../choices.ts";
import { usage } from "../failure.ts";
import { duration, flag, oneOf, text } from "../options.ts";

const onStart = literalsOf<FilesystemWatcher["on_start"]>({ scan: true, ignore: true });

export const watchedOptions = {
  directory: text("--directory <path>", "directory to watch"),
  file: text("--file <path>", "single file to watch; it need not exist yet"),
};

export const selectionOptions = {
  pattern: text("--pattern <glob>", 'only files whose name matches, for example "*.csv" (default *)'),
  recursive: flag("--recursive", "also watch the directories below"),
};

export const timingOptions = {
  debounce: duration(
    "--debounce <duration>",
    "how long all watched files must stay unchanged before the stability check begins (default 500ms)",
  ),
  stability: duration(
    "--stability <duration>",
    "how long a file must then stay unchanged before it is handed to a run (default 1s)",
  ),
  maxWait: duration(
    "--max-wait <duration>",
    "longest time from the first change until the stable files are handed to a run, even if others still change (default 1m, or --debounce plus --stability if that is longer)",
  ),
  onStart: oneOf(
    "--on-start <policy>",
    "whether changes made while the daemon was stopped start a run (scan) or not (ignore)",
    {
      choices: onStart,
      byDefault: "scan",
    },
  ),
};

interface Watched {
  readonly directory?: string | undefined;
  readonly file?: string | undefined;
}

/** The path to watch, absolute and normalized; null if neither option was given. */
export function readWatched({ directory, file }: Watched): Pick<FilesystemWatcher, "kind" | "path"> | null {
  if (directory !== undefined && file !== undefined)
    throw usage("--directory and --file cannot be combined. Use one of them");
  if (directory !== undefined) return { kind: "directory", path: resolve(directory) };
  if (file === undefined) return null;
  if (file.endsWith("/")) throw usage(`--file ${JSON.stringify(file)} ends with a slash. Use --directory`);
  return { kind: "file", path: resolve(file) };
}

/** Refuses options that are only for directories. */
export function refuseForFile(options: { readonly [name: string]: unknown }): void {
  const given = Object.keys(options).find((name) => options[name] !== undefined && options[name] !== null);
  if (given !== undefined)
    throw usage(`--${given} and --file cannot be combined`, "Watch several files with: --directory <path>");
}
