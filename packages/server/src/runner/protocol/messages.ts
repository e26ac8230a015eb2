/**
 * The messages between daemon and runner: one JSON object per line, keyed by attempt. Every message may be repeated without
 * harm. Only `start` is versioned. The others never change meaning, so a new daemon can use an old runner until its last
 * attempt has ended.
 */

/** The versions of `start` that this runner reads. Version 2 has the members of AttemptSpec that say so. */
export const startVersions: readonly number[] = [1, 2];

/** Returns the lowest version of `start` that can express what the attempt needs. */
export function startVersionOf({ user, leftovers }: Pick<AttemptSpec, "user" | "leftovers">): number {
  return user === undefined && leftovers === undefined ? 1 : 2;
}

/** A message from the daemon to the runner. */
export type Order =
  | { readonly do: "start"; readonly version: number; readonly attempt: string; readonly spec: AttemptSpec }
  | { readonly do: "cancel"; readonly attempt: string; readonly cause: CancelCause; readonly graceMs: number }
  | { readonly do: "list" }
  /** Many starts follow within milliseconds. It has no answer, and former runners ignore it. */
  | { readonly do: "prepare" }
  | { readonly do: "forget"; readonly attempt: string };

/**
 * A message from the runner to the daemon. `hello` opens each connection. `ended` is repeated on every `list` until the
 * attempt is forgotten.
 */
export type Report =
  | { readonly is: "hello"; readonly runner: string; readonly pid: number; readonly startVersions: readonly number[] }
  /** Part of a list: the attempt is claimed, and its program is being started. Former runners leave it out. */
  | { readonly is: "claimed"; readonly attempt: string }
  | { readonly is: "started"; readonly attempt: string; readonly pid: number; readonly at: number }
  /** The system lacked a resource (EAGAIN, EMFILE, ENFILE, ENOMEM): nothing ran, no claim was left, the order may be repeated. */
  | { readonly is: "returned"; readonly attempt: string; readonly why: string }
  /** `claimed`: another runner has claimed the attempt and will end it. `version`: this runner cannot read the order. */
  | { readonly is: "refused"; readonly attempt: string; readonly why: "claimed" | "version" }
  | { readonly is: "ended"; readonly attempt: string; readonly end: AttemptEnd }
  | { readonly is: "listed" }
  /** Background processes hold the output of so many ended tasks. Sent at half of `max` and above, and once below. */
  | { readonly is: "held"; readonly held: number; readonly max: number };

export type CancelCause = "cancelled";

/** Plain data: nothing in it needs the daemon's memory, database or disk. */
export interface AttemptSpec {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly directory: string;
  /** The task's complete environment. `BELFRY_RUN_ID` with `BELFRY_ATTEMPT` identifies its processes. */
  readonly environment: Readonly<Record<string, string>>;
  /** Base64, or null for an empty standard input. Kept in memory only. */
  readonly standardInput: string | null;
  /** The time limit from the start of the process; null for none. */
  readonly timeoutMs: number | null;
  /** The pause between TERM and KILL; 0 sends KILL immediately. */
  readonly graceMs: number;
  /** The maximum number of bytes to keep per stream: the first half and the newest half. */
  readonly outputBytesMax: number;
  /** The user that runs the task, if it is not the runner's own. Needs version 2. */
  readonly user?: TaskUser;
  /** Whether to end the processes that the task leaves when it exits by itself. Needs version 2. */
  readonly leftovers?: "kill";
}

/** The runner looks the user up. The environment then lacks what only the lookup tells, such as `HOME`. */
export interface TaskUser {
  readonly name: string;
  /** Whether the task starts in the user's home directory, and not in `directory`. */
  readonly isAtHome: boolean;
  /** The list of files of a watcher's run, which this user may not reach: a copy is made for the attempt. */
  readonly filesList?: string;
}

export type StopCause = "timeout" | CancelCause;
export type EndCause = "exit" | "signal" | "spawn_error" | StopCause;

export interface AttemptEnd {
  readonly cause: EndCause;
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** A detail for people: the system's error code and its object, or what is known of processes that may remain. */
  readonly detail: string | null;
  readonly pid: number | null;
  readonly startedAt: number | null;
  readonly endedAt: number;
  /** When the main process exited, if what it left was ended after that. */
  readonly exitedAt?: number;
  /** The duration by the monotonic clock; 0 if the program never started. */
  readonly durationMs: number;
  readonly stdout: StreamEnd;
  readonly stderr: StreamEnd;
  /** What the order and times of the output take on disk. Absent from former runners. */
  readonly orderBytes?: number;
}

export const streamNames = ["stdout", "stderr"] as const;
export type StreamName = (typeof streamNames)[number];

/** The number of bytes in the stream, and how many of them were not kept. */
export interface StreamEnd {
  readonly written: number;
  readonly cut: number;
}
