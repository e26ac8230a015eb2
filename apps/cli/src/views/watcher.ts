import type { FilesystemWatcher, WatcherHealth } from "@belfry/client";
import type { NameOf } from "../find/task-names.ts";
import type { Detail } from "../output/details.ts";
import type { Paint } from "../output/paint.ts";
import type { Column } from "../output/table.ts";
import { formatLocal } from "../output/time.ts";
import { taskOf } from "./trigger.ts";

/** Columns for watchers of several tasks. */
export function watcherColumns(nameOf: NameOf): readonly Column<FilesystemWatcher>[] {
  const [name, ...rest] = ownWatcherColumns;
  return [name, { title: "TASK", text: (watcher) => nameOf(taskOf(watcher)), isFlexible: true }, ...rest];
}

/** Columns for the watchers of one task. */
export const ownWatcherColumns: readonly [Column<FilesystemWatcher>, ...Column<FilesystemWatcher>[]] = [
  { title: "WATCHER", text: (watcher) => watcher.name, isFlexible: true },
  { title: "WATCHES", text: watchedText, isFlexible: true },
  { title: "STATE", text: watcherState, color: paintOfWatcher },
  { title: "ID", text: (watcher) => watcher.id, color: () => "dim" },
];

export function watcherDetails(watcher: FilesystemWatcher): readonly Detail[] {
  return [
    ["Watcher", watcher.name],
    ["ID", watcher.id],
    ["Watches", watchedText(watcher)],
    ["Task", `${watcher.target_task_name} (${watcher.target_task_id})`],
    ["State", watcherState(watcher)],
    ["Health", `${healthText(watcher.health)} (since ${formatLocal(watcher.health.since)})`],
    ["Debounce", watcher.debounce],
    ["Stability", watcher.stability],
    ["Max wait", watcher.max_wait],
    ["On start", watcher.on_start],
    ["Changed", formatLocal(watcher.updated_at)],
  ];
}

/** `/srv/inbox/*.csv, recursive` */
export function watchedText({ path, pattern, recursive }: FilesystemWatcher): string {
  if (path === undefined) return "-";
  if (pattern === undefined) return path;
  return `${path === "/" ? "" : path}/${pattern}${recursive ? ", recursive" : ""}`;
}

/** `missing path: The directory does not exist` */
export function healthText({ state, reason }: WatcherHealth): string {
  return `${state.replaceAll("_", " ")}: ${reason}`;
}

/** Whether a change starts a run: the obstacle of the task, or else the health. */
function watcherState({ enabled, readiness, reason, health }: FilesystemWatcher): string {
  if (!enabled) return "disabled";
  return (readiness === "ready" ? health.state : reason).replaceAll("_", " ");
}

function paintOfWatcher({ enabled, readiness, health }: FilesystemWatcher): Paint {
  if (!enabled) return "dim";
  if (health.state === "error" || health.state === "permission_denied") return "bad";
  return readiness === "ready" && (health.state === "observing" || health.state === "polling") ? "good" : "warn";
}
