/**
 * What daemon and runner say to each other: one JSON object a line, keyed by attempt. Every message may be repeated without
 * harm. Only `start` is versioned; the others never change meaning, so a new daemon can talk an old runner through its last attempts.
 */
export const startVersion = 1;

/** From the daemon to the runner. */
export type Order =
  | { readonly do: "start"; readonly version: number; readonly attempt: string; readonly spec: AttemptSpec }
  | { readonly do: "cancel"; readonly attempt: string; readonly cause: CancelCause; readonly graceMs: number }
  | { readonly do: "list" }
  | { readonly do: "forget"; readonly attempt: string };

/** From the runner to the daemon. `ended` is repeated on every `list` until it is forgotten. */
export type Report =
  | { readonly is: "hello"; readonly runner: string; readonly pid: number; readonly startVersions: readonly number[] }
  | { readonly is: "started"; readonly attempt: string; readonly pid: number; readonly at: number }
  | { readonly is: "returned"; readonly attempt: string; readonly why: string }
  | { readonly is: "ended"; readonly attempt: string; readonly end: AttemptEnd }
  | { readonly is: "listed" };

export type CancelCause = "cancelled" | "replaced";

/** Plain data: nothing in it needs the daemon's memory, database or disk. */
export interface AttemptSpec {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Base64, or null for an empty standard input. Kept in memory only. */
  readonly standardInput: string | null;
  /** From the start of the process; null never times out. */
  readonly timeoutMs: number | null;
  /** Between TERM and KILL; 0 is KILL at once. */
  readonly graceMs: number;
  /** Bytes kept per stream: the first half and the newest half. */
  readonly outputBytesMax: number;
}

export type EndCause = "exit" | "signal" | "timeout" | "spawn_error" | CancelCause;

export interface AttemptEnd {
  readonly cause: EndCause;
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** For people: the system's code and what it concerns, or the process ids that would not go. */
  readonly detail: string | null;
  readonly pid: number | null;
  readonly startedAt: number | null;
  readonly endedAt: number;
  /** Duration by the monotonic clock, 0 for what never started. */
  readonly durationMs: number;
  readonly stdout: StreamEnd;
  readonly stderr: StreamEnd;
}

/** Bytes the stream produced, and how many of its middle were not kept. */
export interface StreamEnd {
  readonly written: number;
  readonly cut: number;
}
