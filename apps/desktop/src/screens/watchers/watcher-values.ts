import type { FilesystemWatcher, FilesystemWatcherCreate, FilesystemWatcherPatch } from "@belfry/client";
import type { Draft } from "../../data/draft.ts";

/** What the form of a watcher has. */
export interface WatcherValues {
  readonly name: string;
  readonly kind: FilesystemWatcher["kind"];
  readonly path: string;
  /** Empty for every file. */
  readonly pattern: string;
  readonly recursive: boolean;
  readonly taskId: string;
}

export function valuesOf({
  name,
  kind,
  path = "",
  pattern = "",
  recursive,
  target_task_id: taskId,
}: FilesystemWatcher): WatcherValues {
  return { name, kind, path, pattern, recursive, taskId };
}

/** A watcher by the labels of its form. */
export function describeDefinition(watcher: FilesystemWatcher): Readonly<Record<string, string>> {
  const { name, kind, path = "", pattern, recursive, target_task_name } = watcher;
  return {
    Name: name,
    Watch: kind === "directory" ? "a directory" : "one file",
    Path: path,
    ...(pattern === undefined ? {} : { "File names": pattern }),
    ...(kind === "directory" ? { Subdirectories: recursive ? "included" : "not included" } : {}),
    "Task to start": target_task_name,
  };
}

export function createBody({ name, kind, path, pattern, recursive, taskId }: WatcherValues): FilesystemWatcherCreate {
  const common = { name: name.trim(), path, target_task_id: taskId };
  if (kind === "file") return { ...common, kind };
  return { ...common, kind, recursive, ...(pattern === "" ? {} : { pattern }) };
}

/** What differs from the watcher that is edited. A directory that becomes a file loses what only a directory has. */
export function patchBody({ base, form, changed }: Draft<FilesystemWatcher, WatcherValues>): FilesystemWatcherPatch {
  const { name, kind, path, pattern, recursive, taskId } = changed;
  return {
    ...(name === undefined ? {} : { name: name.trim() }),
    ...(kind === undefined ? {} : { kind }),
    ...(path === undefined ? {} : { path }),
    ...(form.kind === "file"
      ? {
          ...(base?.pattern === undefined ? {} : { pattern: null }),
          ...(base?.recursive === true ? { recursive: false } : {}),
        }
      : {
          ...(pattern === undefined ? {} : { pattern: pattern === "" ? null : pattern }),
          ...(recursive === undefined ? {} : { recursive }),
        }),
    ...(taskId === undefined ? {} : { target_task_id: taskId }),
  };
}
