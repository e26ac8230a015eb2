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
 * For a patch. Every member shows what was asked for: in effect. The revision is still the one that was required: not.
 * Else it cannot be told: the daemon writes values its own way (`90m` for `1.5h`), and secrets do not show.
 */
export function settleByPatch<T extends { readonly revision: number }>(
  read: PromiseLike<T>,
  sent: PatchSent,
): Promise<Settlement> {
  return settleBy(read, (now) => {
    if (shows(now, sent.patch)) return "committed";
    return now.revision === sent.ifMatch ? "not_committed" : "unknown";
  });
}

/** For what does not show itself: a key that was replaced. Whoever else changed it, the revision moved. */
export function settleByRevision(
  read: PromiseLike<{ readonly revision: number }>,
  ifMatch: number | "*" | undefined,
): Promise<Settlement> {
  return settleBy(read, (now) => (now.revision === ifMatch ? "not_committed" : "unknown"));
}

/** Whether a value shows all that a merge asked for; null stands for what is not there. */
function shows(now: unknown, asked: unknown): boolean {
  if (!isRecord(asked)) return JSON.stringify(now ?? null) === JSON.stringify(asked);
  return (
    isRecord(now) && Object.entries(asked).every(([name, value]) => value === undefined || shows(now[name], value))
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
