import { isApiError } from "./api-error.ts";
import { BelfryError } from "./errors.ts";

/** Whether a mutation with a lost answer is in effect. `unknown`: the daemon's state cannot be read, or leaves both possible. */
export type Settlement = "committed" | "not_committed" | "unknown";

/** Reads the resource and decides. If the read fails, the outcome is `unknown`. */
export async function findOutcomeWith<T>(read: PromiseLike<T>, decide: (now: T) => Settlement): Promise<Settlement> {
  try {
    return decide(await read);
  } catch (error) {
    if (error instanceof BelfryError) return "unknown";
    throw error;
  }
}

/** Decides on a change that the resource always shows. */
export function findOutcomeByState<T>(read: PromiseLike<T>, isDone: (now: T) => boolean): Promise<Settlement> {
  return findOutcomeWith(read, (now) => (isDone(now) ? "committed" : "not_committed"));
}

/** Decides on a deletion. If the resource is gone, the deletion is in effect, no matter which call made it. */
export async function findOutcomeByAbsence(read: PromiseLike<unknown>): Promise<Settlement> {
  try {
    await read;
    return "not_committed";
  } catch (error) {
    if (isApiError(error, "not_found")) return "committed";
    if (error instanceof BelfryError) return "unknown";
    throw error;
  }
}

interface PatchSent {
  readonly patch: object;
  readonly ifMatch: number | "*" | undefined;
}

/**
 * Decides on a patch. If the revision still matches `ifMatch`, the patch is not in effect. If every patched member has its new
 * value, the patch is in effect. Otherwise the outcome is unknown: the daemon normalizes values (`90m` for `1.5h`) and
 * hides secrets.
 */
export function findOutcomeByPatch<T extends { readonly revision: number }>(
  read: PromiseLike<T>,
  sent: PatchSent,
): Promise<Settlement> {
  return findOutcomeWith(read, (now) => {
    if (now.revision === sent.ifMatch) return "not_committed";
    return showsPatch(now, sent.patch) ? "committed" : "unknown";
  });
}

/** Decides on a rotation, which the resource does not show. A new revision may also come from another change. */
export function findOutcomeByRevision(
  read: PromiseLike<{ readonly revision: number }>,
  ifMatch: number | "*" | undefined,
): Promise<Settlement> {
  return findOutcomeWith(read, (now) => (now.revision === ifMatch ? "not_committed" : "unknown"));
}

/**
 * Whether a resource shows all values of a patch. A member that the resource does not have is write-only and proves
 * nothing. The daemon merges labels by name, and replaces any other object whole, with its defaults.
 */
function showsPatch(now: unknown, patch: object): boolean {
  const members = membersOf(patch);
  // the daemon rejects an empty patch
  if (!isRecord(now) || members.length === 0) return false;
  return members.every(([name, sent]) => {
    if (!Object.hasOwn(now, name)) return false;
    return name === "labels" ? showsLabels(now[name], sent) : isSame(now[name], sent);
  });
}

/** Null removes a label, and labels that are not named stay. */
function showsLabels(now: unknown, sent: unknown): boolean {
  if (!isRecord(now) || !isRecord(sent)) return false;
  return membersOf(sent).every(([name, value]) =>
    value === null ? !Object.hasOwn(now, name) : Object.hasOwn(now, name) && now[name] === value,
  );
}

/** Whether both values are equal, in any order of their members. */
function isSame(now: unknown, sent: unknown): boolean {
  if (!isRecord(now) || !isRecord(sent)) return JSON.stringify(now) === JSON.stringify(sent);
  const members = membersOf(sent);
  return (
    members.length === Object.keys(now).length &&
    members.every(([name, value]) => Object.hasOwn(now, name) && isSame(now[name], value))
  );
}

/** Members as JSON sends them: without undefined values. */
function membersOf(sent: object): readonly (readonly [name: string, value: unknown])[] {
  return Object.entries(sent).filter(([, value]) => value !== undefined);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
