import type { FilesystemWatcher } from "@belfry/client";
import type { ReactNode } from "react";
import { Facts } from "../../components/page.tsx";
import { TaskLink } from "../../components/task-link.tsx";
import { FullTime } from "../../components/time.tsx";
import { sentence } from "../../data/errors.ts";
import { describeWatcher } from "./watcher-words.ts";

/** What a watcher observes, and what keeps it from doing so. */
export function WatcherFacts({ watcher }: { readonly watcher: FilesystemWatcher }): ReactNode {
  const { kind, path, pattern, recursive, debounce, stability, max_wait, on_start, health } = watcher;
  const isDirectory = kind === "directory";
  return (
    <Facts
      facts={[
        { name: "Health", value: sentence(describeWatcher(watcher).text) },
        { name: "Since", value: <FullTime at={health.since} /> },
        path === undefined ? null : { name: isDirectory ? "Directory" : "File", value: <code>{path}</code> },
        pattern === undefined ? null : { name: "File names", value: <code>{pattern}</code> },
        isDirectory ? { name: "Subdirectories", value: recursive ? "included" : "not included" } : null,
        { name: "Starts", value: <TaskLink id={watcher.target_task_id} name={watcher.target_task_name} /> },
        { name: "Waits", value: `${debounce} without changes, then ${stability} per file; at most ${max_wait}` },
        {
          name: "While stopped",
          value: on_start === "scan" ? "finds what changed meanwhile" : "ignores what changed meanwhile",
        },
        { name: "Created", value: <FullTime at={watcher.created_at} /> },
      ]}
    />
  );
}
