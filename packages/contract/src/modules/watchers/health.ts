import { limits } from "../../core/limits.ts";

export const watcherHealthStates = [
  "starting",
  "observing",
  "polling",
  "degraded",
  "missing_path",
  "permission_denied",
  "stopped",
  "error",
] as const;
export type WatcherHealthState = (typeof watcherHealthStates)[number];

/**
 * Every sentence with which this daemon explains a watcher's health. Health never contains the message of an error,
 * because such a message could bring a path into an event. A newer daemon may send other sentences.
 */
export const watcherHealthReasons = {
  scanning: "The daemon is reading the files for the first time",
  notified: "The operating system reports changes to the daemon",
  file_missing: "The file does not exist, so the daemon observes its directory",
  never_stable:
    "Some files change too often to become stable, so they are not handed to a run: shorten `stability` if they can be used earlier",
  remote_mount: "The path is on a network or FUSE file system, so the daemon compares the files at intervals",
  watches_exhausted:
    "The limit fs.inotify.max_user_watches is reached, so the daemon compares the files at intervals: raise the limit with sysctl",
  instances_exhausted:
    "The limit fs.inotify.max_user_instances is reached, so the daemon compares the files at intervals: raise the limit with sysctl",
  partly_polled:
    "The limit fs.inotify.max_user_watches is reached, so the daemon compares the files of some directories at intervals: raise the limit with sysctl",
  partly_remote:
    "Directories on a network or FUSE file system below the path are not observed: add a watcher for each of them",
  partly_unreadable: "The daemon cannot read some of the directories, for example because it has no permission",
  directory_missing: "The directory does not exist, so the daemon observes the nearest directory above it that exists",
  not_a_directory: "The path is not a directory",
  not_a_file: "The path is not a regular file",
  unreadable: "The daemon has no permission to read the path",
  disabled: "The watcher is disabled",
  too_many_files: `More than ${limits.watchedFilesMax.toLocaleString("en")} files match: choose another path or pattern, or delete files, then disable and enable the watcher`,
  unresponsive_mount: "The file system does not respond",
  in_data_directory: "The path leads into the daemon's data directory, which is not watched",
  unreadable_system: "The operating system reported an error when the daemon read the files",
} as const;
export type WatcherHealthReason = (typeof watcherHealthReasons)[keyof typeof watcherHealthReasons];
