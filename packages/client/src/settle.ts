import { isApiError } from "./api-error.ts";
import { BelfryError } from "./errors.ts";

/** Whether a mutation whose answer was lost is in effect. */
export type Settlement = "committed" | "not_committed" | "unknown";

/** Decides by what is read now; where it cannot be read, nothing can be said. */
export async function settleBy<T>(read: PromiseLike<T>, judge: (now: T) => Settlement): Promise<Settlement> {
  try {
    return judge(await read);
  } catch (error) {
    if (error instanceof BelfryError) return "unknown";
    throw error;
  }
}

/** For a change that shows itself in the resource. */
export function settleByState<T>(read: PromiseLike<T>, isDone: (now: T) => boolean): Promise<Settlement> {
  return settleBy(read, (now) => (isDone(now) ? "committed" : "not_committed"));
}

/** For a deletion: gone is gone, whoever did it. */
export async function settleByAbsence(read: PromiseLike<unknown>): Promise<Settlement> {
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
 * For a patch. The revision is still the one that was required: not in effect. Every member shows what was asked for: in
 * effect. Else it cannot be told: the daemon writes values its own way (`90m` for `1.5h`), and secrets do not show.
 */
export function settleByPatch<T extends { readonly revision: number }>(
  read: PromiseLike<T>,
  sent: PatchSent,
): Promise<Settlement> {
  return settleBy(read, (now) => {
    if (now.revision === sent.ifMatch) return "not_committed";
    return shows(now, sent.patch) ? "committed" : "unknown";
  });
}

/** For what does not show itself: a key that was replaced. Whoever else changed it, the revision moved. */
export function settleByRevision(
  read: PromiseLike<{ readonly revision: number }>,
  ifMatch: number | "*" | undefined,
): Promise<Settlement> {
  return settleBy(read, (now) => (now.revision === ifMatch ? "not_committed" : "unknown"));
}

/**
 * Whether an answer shows all that a patch asked for. What the answer does not have at all is write-only and proves nothing.
 * Of the objects that show, the daemon merges labels by name; it replaces any other whole, with its defaults.
 */
function shows(now: unknown, patch: object): boolean {
  const members = membersOf(patch);
  // the daemon refuses a patch of nothing
  if (!isRecord(now) || members.length === 0) return false;
  return members.every(([name, asked]) => {
    if (!Object.hasOwn(now, name)) return false;
    return name === "labels" ? showsLabels(now[name], asked) : isSame(now[name], asked);
  });
}

/** Null removes one, and those not named stay. */
function showsLabels(now: unknown, asked: unknown): boolean {
  if (!isRecord(now) || !isRecord(asked)) return false;
  return membersOf(asked).every(([name, value]) =>
    value === null ? !Object.hasOwn(now, name) : Object.hasOwn(now, name) && now[name] === value,
  );
}

/** Whether both say the same, in whatever order they name their members. */
function isSame(now: unknown, asked: unknown): boolean {
  if (!isRecord(now) || !isRecord(asked)) return JSON.stringify(now) === JSON.stringify(asked);
  const members = membersOf(asked);
  return (
    members.length === Object.keys(now).length &&
    members.every(([name, value]) => Object.hasOwn(now, name) && isSame(now[name], value))
  );
}

/** As they are sent: JSON has no undefined. */
function membersOf(sent: object): readonly (readonly [name: string, value: unknown])[] {
  return Object.entries(sent).filter(([, value]) => value !== undefined);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
