import { type Client, isApiError, type Run } from "@belfry/client";
import type { Output } from "../output/output.ts";
import { pause } from "../pause.ts";
import { gather } from "../gather.ts";
import { listActiveRuns } from "../runs/list-active.ts";

const pollMs = 200;
/** How long the hold lasts if this command ends without a word. */
const holdMs = 30_000;
const renewMs = 10_000;
/** How long it lasts at the end, so that nothing starts until the daemon stops, and the next daemon is held only briefly. */
const stopMs = 10_000;
const reason = "belfry daemon stop --kill";

/**
 * Cancels every run until none is left. A hold keeps new ones from starting meanwhile: without it, a task that is due
 * more often than its runs end would never leave a moment without one. Belfry releases the hold by itself.
 */
export async function cancelAll(client: Client, out: Output, now: () => number): Promise<void> {
  const cancelled = new Set<string>();
  let live: readonly Run[] = [];
  using _ = out.progress(() => describeRuns(live));
  for (let renewAt = -Infinity; ; await pause(pollMs)) {
    if (now() >= renewAt) {
      await keepHold(client, now() + holdMs);
      renewAt = now() + renewMs;
    }
    live = await gather(client.runs.list({ ended: false, limit: 1_000 }));
    if (live.length === 0) {
      await keepHold(client, now() + stopMs);
      return;
    }
    const found = live.filter(({ id, state }) => state !== "cancelling" && !cancelled.has(id));
    if (found.length > 0) out.note(`Cancelling ${countRuns(found)}`);
    // queued runs come first, so that none of them starts when a running one is cancelled
    const isQueued = ({ state }: Run) => state === "queued";
    for (const { id } of [...found.filter(isQueued), ...found.filter((run) => !isQueued(run))]) {
      await cancelIfLive(client, id);
      cancelled.add(id);
    }
  }
}

/** Waits until no run is active. */
export async function waitForNone(client: Client, out: Output): Promise<void> {
  let live = await listActiveRuns(client);
  using _ = out.progress(() => describeRuns(live));
  while (live.length > 0) {
    await pause(pollMs);
    live = await listActiveRuns(client);
  }
}

/** A hold on all tasks that somebody placed stays as it is. */
async function keepHold(client: Client, untilMs: number): Promise<void> {
  try {
    const { holds } = await client.holds.list();
    const placed = holds.find(({ group_id }) => group_id === null);
    if (placed !== undefined && placed.reason !== reason) return;
    await client.holds.place({ until: new Date(untilMs).toISOString(), reason });
  } catch (error) {
    // without a hold, the runs can be cancelled nevertheless
    if (!isApiError(error)) throw error;
  }
}

async function cancelIfLive(client: Client, id: string): Promise<void> {
  try {
    await client.runs.cancel(id);
  } catch (error) {
    // it has finished in the meantime
    if (!isApiError(error, "conflict") && !isApiError(error, "not_found")) throw error;
  }
}

function describeRuns(runs: readonly Run[]): string {
  const names = runs.slice(0, 3).map((run) => run.task_name);
  return `Waiting for ${countRuns(runs)}: ${names.join(", ")}${runs.length > 3 ? ", ..." : ""}`;
}

function countRuns({ length }: readonly Run[]): string {
  return `${length} ${length === 1 ? "run" : "runs"}`;
}
