import { lstat, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { isAlive, type RunnerIdentity } from "../identity.ts";
import type { AttemptEnd, AttemptSpec, StopCause } from "../protocol/messages.ts";
import type { ProcessId } from "../processes/processes.ts";
import { errorCode, isMissing, isResourceExhausted } from "../system-error.ts";
import { parseChecked } from "./checked-json.ts";

/**
 * An attempt's folder in `live/` is the claim on it: the runner that creates it owns the attempt, and no other runner starts
 * it. The folder holds
 *   claim   JSON lines with checks: the owner; the task's cgroup, if it has one; the task's process once it runs; the cause of a
 *           stop, or how the process exited, if the processes that it left are ended; how the attempt ended. Each line names
 *           the attempt, because the file may have been the claim of another one before
 *   end     how the attempt ended, if a former version wrote it
 *   output, stdout, stdout.<offset>, stderr, ...   the kept output
 *   index   the order and times of the output after the file `output`
 */
export interface Claim extends ClaimHead {
  /** The folder of the attempt's own cgroup. */
  readonly cgroup: string | null;
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

/** Added to a claim once it is known. */
export type ClaimNote =
  | { readonly cgroup: string }
  | { readonly process: ProcessId }
  | { readonly cause: StopCause }
  | { readonly exit: NotedExit }
  | { readonly end: AttemptEnd };

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
    const claim = parseClaim(await readLines(folder));
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

/**
 * Reads the lines of a claim that belong to its attempt. After a power failure the file may also hold lines of the
 * attempt before. Former versions used no file twice, and named no attempt.
 */
async function readLines(folder: string): Promise<readonly (object | null)[]> {
  const lines = (await readFile(join(folder, "claim"), "utf8")).split("\n").map(parseChecked);
  const attempt = basename(folder);
  return lines.map((line) => (line !== null && "attempt" in line && line.attempt !== attempt ? null : line));
}

/** Parses a claim. A note may be incomplete, if the runner died while it wrote; the owner may not. */
function parseClaim([head, ...notes]: readonly (object | null)[]): Claim | null {
  if (!isClaimHead(head)) return null;
  const { runner, mark, graceMs } = head;
  const unstarted = { runner, mark, graceMs, cgroup: null, process: null, cause: null, exit: null };
  return notes.reduce<Claim>(addNote, unstarted);
}

function addNote(claim: Claim, note: object | null): Claim {
  const {
    cgroup = claim.cgroup,
    process = claim.process,
    cause = claim.cause,
    exit = claim.exit,
  } = (note ?? {}) as Partial<Claim>;
  return { ...claim, cgroup, process, cause, exit };
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
  const ends = [
    await readNotedEnd(folder).catch(nullUnlessExhausted),
    await readEndFile(folder).catch(nullUnlessExhausted),
  ];
  return ends.find(isEnd) ?? null;
}

async function readNotedEnd(folder: string): Promise<unknown> {
  const line = (await readLines(folder)).findLast((each) => each !== null && "end" in each);
  return line?.end;
}

/** Former versions wrote the end to a file of its own. */
async function readEndFile(folder: string): Promise<unknown> {
  return parseChecked(await readFile(join(folder, "end"), "utf8"));
}

function nullUnlessExhausted(error: unknown): null {
  if (isResourceExhausted(error)) throw error;
  return null;
}

function isEnd(end: unknown): end is AttemptEnd {
  const { cause, endedAt, durationMs, stdout, stderr } = (end ?? {}) as Partial<AttemptEnd>;
  return (
    typeof cause === "string" &&
    Number.isFinite(endedAt) &&
    Number.isFinite(durationMs) &&
    Number.isFinite(stdout?.written) &&
    Number.isFinite(stderr?.written)
  );
}
