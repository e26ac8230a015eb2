import { z } from "zod";
import { onlyFor } from "../../core/audience.ts";
import { limits } from "../../core/limits.ts";
import { patchOf } from "../../core/list.ts";
import { referenceTo } from "../../core/references.ts";
import { Duration, durationBetween, Name, orNull, ResourceId, Revision, Timestamp } from "../../core/scalars.ts";
import { writes } from "../../core/written-resource.ts";
import { readinessReasons } from "../tasks/readiness.ts";
import { watcherHealthStates } from "./health.ts";

export const watcherKinds = ["file", "directory"] as const;
export type WatcherKind = (typeof watcherKinds)[number];

export const watcherOnStarts = ["ignore", "scan"] as const;
/** What a watcher does about changes that happened while the daemon did not observe its files. */
export type WatcherOnStart = (typeof watcherOnStarts)[number];

/** Why a watcher can or cannot start its task now: `ready`, or the first obstacle in this order. */
export const watcherReasons = [
  "ready",
  "watcher_disabled",
  ...readinessReasons.filter((reason) => reason !== "ready"),
] as const;
export type WatcherReason = (typeof watcherReasons)[number];

/** The defaults of a definition. `max_wait` is longer if `debounce` and `stability` together are longer. */
export const watcherDefaults = { pattern: "*", maxWaitMs: 60_000 } as const;

const sizeInBytes = (text: string): number => new TextEncoder().encode(text).length;

/** A name in a path: neither `.` nor `..`, written without lookahead for readers of the document that have none. */
const segment = String.raw`(?:[^/.\u0000][^/\u0000]*|\.[^/.\u0000][^/\u0000]*|\.\.[^/\u0000]+)`;
const normalizedPath = new RegExp(`^/(?:${segment}(?:/${segment})*)?$`);

const path = z
  .string()
  .regex(
    normalizedPath,
    "must be an absolute, normalized path such as /srv/inbox: without . or .. as a name, double slashes, a slash at the end or NUL",
  )
  .refine(
    (text) => sizeInBytes(text) <= limits.watchedPathBytesMax,
    `must have at most ${limits.watchedPathBytesMax.toLocaleString("en")} bytes in UTF-8`,
  )
  .meta({
    "x-maximum-bytes": limits.watchedPathBytesMax,
    description: "The file or directory to watch. It need not exist yet: observation begins once it does",
    examples: ["/srv/inbox"],
  });

const pattern = z
  .string()
  .min(1)
  .regex(
    new RegExp(String.raw`^[^/\u0000]*$`),
    "must be a glob for file names, such as *.csv, without slashes and NUL characters",
  )
  .refine(
    (text) => sizeInBytes(text) <= limits.watcherPatternBytesMax,
    `must have at most ${limits.watcherPatternBytesMax} bytes in UTF-8`,
  )
  .meta({
    "x-maximum-bytes": limits.watcherPatternBytesMax,
    description:
      "For the kind `directory`: only files whose name matches this glob start a run. `*`, `?`, `[a-z]` and `{csv,json}` are supported, with at most three `*` in each alternative. A name that starts with a dot is matched only by a glob that starts with a dot: `.*` matches `.hidden`, and `*` does not",
    examples: ["*.csv"],
  });

const recursive = z.boolean().meta({
  description:
    "For the kind `directory`: whether the directories below the path are watched too, except symbolic links and directories whose name starts with a dot",
});
const debounce = durationBetween(limits.watcherPauseMinMs, limits.watcherPauseMaxMs);
const stability = durationBetween(limits.watcherPauseMinMs, limits.watcherPauseMaxMs);
const maxWait = durationBetween(2 * limits.watcherPauseMinMs, limits.watcherMaxWaitMs);
const texts = {
  debounce: "How long all watched files must stay unchanged before the stability check begins",
  stability: "How long a file must stay unchanged, after `debounce`, before it is handed to a run",
  maxWait:
    "When this time has passed since the first change, the stable files are handed to a run even if others still change. Must be at least the sum of `debounce` and `stability`",
  onStart:
    "For changes made while the daemon did not observe the files: `scan` finds them by comparison and starts a run, `ignore` does not",
};

/** Whether a watcher observes its files now. It is known to the running daemon only, and changes no revision. */
export const WatcherHealth = z
  .object({
    state: z.enum(watcherHealthStates),
    reason: z.string().meta({ description: "The state explained in a sentence, without any path or file name" }),
    since: Timestamp.meta({ description: "When the watcher entered the state; never before the start of the daemon" }),
  })
  .meta({ id: "WatcherHealth" });
export type WatcherHealth = z.output<typeof WatcherHealth>;

const localCallers = { transport: "local" } as const;

export const FilesystemWatcher = z
  .object({
    id: ResourceId,
    name: Name,
    kind: z.enum(watcherKinds),
    path: onlyFor(localCallers, path),
    pattern: onlyFor(
      localCallers,
      pattern.optional().meta({ description: "A glob for the names of files. Absent for the kind `file`" }),
    ),
    recursive: z
      .boolean()
      .meta({ description: "Whether the directories below the path are watched too; false for the kind `file`" }),
    debounce: Duration.meta({ description: texts.debounce }),
    stability: Duration.meta({ description: texts.stability }),
    max_wait: Duration.meta({ description: texts.maxWait }),
    on_start: z.enum(watcherOnStarts).meta({ description: texts.onStart }),
    target_task_id: ResourceId,
    target_task_name: Name.meta({ description: "The name of the task; its last known name if the task was deleted" }),
    enabled: z.boolean(),
    health: WatcherHealth,
    readiness: z.enum(["ready", "not_ready"]),
    reason: z.enum(watcherReasons),
    created_at: Timestamp,
    updated_at: Timestamp,
    revision: Revision,
  })
  .meta({ id: "FilesystemWatcher" });
export type FilesystemWatcher = z.output<typeof FilesystemWatcher>;

const shared = {
  name: Name,
  path,
  debounce: debounce.default("500ms").meta({ description: texts.debounce }),
  stability: stability.default("1s").meta({ description: texts.stability }),
  max_wait: maxWait.optional().meta({
    description: `${texts.maxWait}. Default: \`1m\`, or that sum if it is longer`,
  }),
  on_start: z.enum(watcherOnStarts).default("scan").meta({ description: texts.onStart }),
  target_task_id: referenceTo("task"),
  enabled: z.boolean().default(true),
};
const onlyForDirectories = "is only for the kind directory: leave it out";

export const FilesystemWatcherCreate = z
  .discriminatedUnion("kind", [
    writes(
      FilesystemWatcher,
      z
        .strictObject(
          {
            kind: z.literal("file"),
            ...shared,
            recursive: z.literal(false, onlyForDirectories).default(false),
          },
          {
            error: (issue) =>
              issue.code === "unrecognized_keys" && issue.keys[0] === "pattern" ? onlyForDirectories : undefined,
          },
        )
        .meta({ id: "FileWatcherCreate" }),
    ),
    writes(
      FilesystemWatcher,
      z
        .strictObject({
          kind: z.literal("directory"),
          ...shared,
          pattern: pattern.default(watcherDefaults.pattern),
          recursive: recursive.default(false),
        })
        .meta({ id: "DirectoryWatcherCreate" }),
    ),
  ])
  .meta({ id: "FilesystemWatcherCreate" });
export type FilesystemWatcherCreate = z.output<typeof FilesystemWatcherCreate>;

/** The rules between members apply to the watcher as it is after the change. */
export const FilesystemWatcherPatch = writes(
  FilesystemWatcher,
  patchOf({
    name: Name.optional(),
    kind: z.enum(watcherKinds).optional(),
    path: path.optional(),
    pattern: orNull(pattern).optional().meta({
      description: "For the kind `directory`, null sets the default `*`. For the kind `file`, only null is allowed",
    }),
    recursive: recursive.optional(),
    debounce: debounce.optional(),
    stability: stability.optional(),
    max_wait: maxWait.optional(),
    on_start: z.enum(watcherOnStarts).optional(),
    target_task_id: referenceTo("task").optional(),
    enabled: z.boolean().optional(),
  }).meta({ id: "FilesystemWatcherPatch" }),
);
export type FilesystemWatcherPatch = z.output<typeof FilesystemWatcherPatch>;
