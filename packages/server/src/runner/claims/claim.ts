import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { isAlive, type RunnerIdentity } from "../identity.ts";
import type { AttemptEnd, AttemptSpec, StopCause } from "../protocol/messages.ts";
import type { ProcessId } from "../processes/processes.ts";
import { errorCode, isMissing, isResourceExhausted } from "../system-error.ts";
import { parseChecked } from "./checked-json.ts";

/**
 * An attempt's folder in `live/` is the claim on it: the runner that creates it owns the attempt, and no other runner starts
 * it. The folder holds
 *   claim   JSON lines with checks, appended only: the owner; the task's process once it runs; the cause of a stop, or how
 *           the process exited, if the processes that it left are ended
 *   end     how the attempt ended; the file is complete as soon as it exists
 *   stdout, stdout.<offset>, stderr, ...   the kept output
 */
export interface Claim extends ClaimHead {
  readonly process: ProcessId | null;
  readonly cause: StopCause | null;
  readonly exit: NotedExit | null;
}

/** How the main process exited, noted before what it left is ended. */
export interface NotedExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly exitedAt: number;
  readonly durationMs: number;
  /** The time of the exit in ticks after boot; null if it cannot be determined. */
  readonly exitTicks: number | null;
}

export interface ClaimHead {
  readonly runner: RunnerIdentity;
  readonly mark: Mark | null;
  readonly graceMs: number;
}

/** Appended to a claim once it is known. */
export type ClaimNote = { readonly process: ProcessId } | { readonly cause: StopCause } | { readonly exit: NotedExit };

/** The values of `BELFRY_RUN_ID` and `BELFRY_ATTEMPT`, which every process of an attempt inherits. */
export interface Mark {
  readonly runId: string;
  readonly attempt: string;
}

export function markOf(environment: AttemptSpec["environment"]): Mark | null {
  const { BELFRY_RUN_ID: runId, BELFRY_ATTEMPT: attempt } = environment;
  return runId === undefined || attempt === undefined ? null : { runId, attempt };
}

/**
 * What is in the place of a claim. A power failure or a fault of the disk may leave a claim empty, cut, damaged or without
 * its file. Then nothing tells its runner.
 */
export type FoundClaim =
  | { readonly is: "read"; readonly claim: Claim }
  | { readonly is: "unreadable"; readonly why: string }
  | { readonly is: "none" };

/** Reads a claim. Throws only if the system lacks a resource, so that another attempt may succeed. */
export async function examineClaim(folder: string): Promise<FoundClaim> {
  try {
    const claim = parseClaim(await readFile(join(folder, "claim"), "utf8"));
    return claim === null ? { is: "unreadable", why: "damaged" } : { is: "read", claim };
  } catch (error) {
    if (isResourceExhausted(error)) throw error;
    if (isMissing(error) && !(await exists(folder))) return { is: "none" };
    return { is: "unreadable", why: errorCode(error) };
  }
}

/** Reads a claim; null if there is none that can be read. */
export async function readClaim(folder: string): Promise<Claim | null> {
  const found = await examineClaim(folder);
  return found.is === "read" ? found.claim : null;
}

/** Parses a claim. A note may be incomplete, if the runner died while it wrote; the owner may not. */
function parseClaim(text: string): Claim | null {
  const [head, ...notes] = text.split("\n").map(parseChecked);
  if (!isClaimHead(head)) return null;
  return notes.reduce<Claim>((claim, note) => ({ ...claim, ...note }), {
    process: null,
    cause: null,
    exit: null,
    ...head,
  });
}

function isClaimHead(head: object | null | undefined): head is ClaimHead {
  const { runner, graceMs } = (head ?? {}) as Partial<ClaimHead>;
  return (
    typeof graceMs === "number" &&
    typeof runner?.id === "string" &&
    typeof runner.bootId === "string" &&
    Number.isInteger(runner.pid) &&
    Number.isFinite(runner.startTime)
  );
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: unknown) => !isMissing(error),
  );
}

export function isRunnerAlive(claim: Claim): boolean {
  return isAlive(claim.runner);
}

/** Reads how the attempt ended; null if its runner wrote no end, or if the end is damaged. */
export async function readEnd(folder: string): Promise<AttemptEnd | null> {
  try {
    const end = parseChecked(await readFile(join(folder, "end"), "utf8"));
    return isEnd(end) ? end : null;
  } catch (error) {
    if (isResourceExhausted(error)) throw error;
    return null;
  }
}

function isEnd(end: object | null): end is AttemptEnd {
  const { cause, endedAt, durationMs, stdout, stderr } = (end ?? {}) as Partial<AttemptEnd>;
  return (
    typeof cause === "string" &&
    Number.isFinite(endedAt) &&
    Number.isFinite(durationMs) &&
    Number.isFinite(stdout?.written) &&
    Number.isFinite(stderr?.written)
  );
}
