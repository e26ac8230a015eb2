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
 * Every sentence that a watcher's health can contain. The list is closed, so that no error's message, and with it no path,
 * reaches an event. A later daemon may have more.
 */
export const watcherHealthReasons = {
  scanning: "The daemon is reading the files for the first time",
  notified: "The system reports changes",
  file_missing: "The file does not exist yet, and its directory is observed",
  never_stable: "Some files change too often to become stable, so they are not handed to a run",
  remote_mount: "The path is on a network or FUSE file system, so the daemon compares the files at intervals",
  watches_exhausted:
    "The limit fs.inotify.max_user_watches is reached, so the daemon compares the files at intervals: raise it with sysctl",
  instances_exhausted:
    "The limit fs.inotify.max_user_instances is reached, so the daemon compares the files at intervals: raise it with sysctl",
  partly_polled:
    "The limit fs.inotify.max_user_watches is reached, so the daemon compares the files of some directories at intervals: raise it with sysctl",
  partly_remote:
    "Directories on a network or FUSE file system below the path are not observed: add a watcher for each of them",
  partly_unreadable: "The daemon has no permission to read some of the directories",
  directory_missing: "The directory does not exist, and its nearest existing ancestor is observed",
  not_a_directory: "The path is not a directory",
  not_a_file: "The path is not a regular file",
  unreadable: "The daemon has no permission to read the path",
  disabled: "The watcher is disabled",
  stopping: "The daemon is stopping",
  too_many_entries: "There are more than 1,000,000 entries: watch fewer directories",
  unresponsive_mount: "The file system does not respond",
  in_data_directory: "The path leads into the daemon's data directory, which is not watched",
  unreadable_system: "The system reported an error while the files were read",
} as const;
export type WatcherHealthReason = (typeof watcherHealthReasons)[keyof typeof watcherHealthReasons];
