import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isAlive, type RunnerIdentity } from "../identity.ts";
import type { AttemptEnd, AttemptSpec, StopCause } from "../protocol/messages.ts";
import type { ProcessId } from "../processes/processes.ts";
import { isMissing } from "../system-error.ts";

/**
 * An attempt's folder in `live/` is the claim on it: the runner that creates it owns the attempt, and no other runner starts
 * it. The folder holds
 *   claim   JSON lines, appended only: the owner; the task's process once it runs; the cause of a stop
 *   end     how the attempt ended; the file is complete as soon as it exists
 *   stdout, stdout.<offset>, stderr, ...   the kept output
 */
export interface Claim extends ClaimHead {
  readonly process: ProcessId | null;
  readonly cause: StopCause | null;
}

export interface ClaimHead {
  readonly runner: RunnerIdentity;
  readonly mark: Mark | null;
  readonly graceMs: number;
}

/** Appended to a claim once it is known. */
export type ClaimNote = { readonly process: ProcessId } | { readonly cause: StopCause };

/** The values of `BELFRY_RUN_ID` and `BELFRY_ATTEMPT`, which every process of an attempt inherits. */
export interface Mark {
  readonly runId: string;
  readonly attempt: string;
}

export function markOf(environment: AttemptSpec["environment"]): Mark | null {
  const { BELFRY_RUN_ID: runId, BELFRY_ATTEMPT: attempt } = environment;
  return runId === undefined || attempt === undefined ? null : { runId, attempt };
}

/** Reads a claim. Null if the folder has none, or one that a power failure damaged: then its runner is gone too. */
export async function readClaim(folder: string): Promise<Claim | null> {
  const text = await readIfPresent(join(folder, "claim"));
  const [head, ...notes] = (text ?? "").split("\n").map(parseLine);
  if (!head || !("runner" in head)) return null;
  return notes.reduce<Claim>((claim, note) => ({ ...claim, ...note }), {
    process: null,
    cause: null,
    ...(head as ClaimHead),
  });
}

export function isRunnerAlive(claim: Claim): boolean {
  return isAlive(claim.runner);
}

/** Reads how the attempt ended; null if its runner wrote no end. */
export async function readEnd(folder: string): Promise<AttemptEnd | null> {
  const text = await readIfPresent(join(folder, "end"));
  return text === null ? null : (JSON.parse(text) as AttemptEnd);
}

async function readIfPresent(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Parses a line; null for an incomplete one. The last line is incomplete if the runner died while it wrote. */
function parseLine(line: string): object | null {
  try {
    return JSON.parse(line) as object;
  } catch {
    return null;
  }
}
