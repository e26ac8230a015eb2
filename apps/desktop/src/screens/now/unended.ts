import type { Client, Run } from "@belfry/client";

/** In the order in which a run has them: a run whose state changes between two reads is then found in the later state. */
const states = ["queued", "dispatching", "running", "cancelling"] as const;
const readMax = 50;

interface Part {
  /** Newest first. */
  readonly runs: readonly Run[];
  /** There are more of them than were read. */
  readonly hasMore: boolean;
}

export interface Unended {
  readonly active: Part;
  readonly queued: Part;
}

export interface RunLister {
  readonly runs: Pick<Client["runs"], "list">;
}

type State = (typeof states)[number];

const isQueued = ({ state }: Run): boolean => state === "queued";

/** Reads what runs and what is queued: of both the newest, because a thousand queued runs hide none that is running. */
export async function readUnended({ runs: lister }: RunLister, signal: AbortSignal): Promise<Unended> {
  const ask = (of: { readonly state?: State }) => lister.list({ ...of, ended: false, limit: readMax }, { signal });
  const newest = await ask({});
  if (newest.next_cursor === null) return split(newest.runs, new Set());
  const runs = new Map<string, Run>();
  const cut = new Set<State>();
  // where the newest of all are queued, they are the newest of the queued ones
  const areAllQueued = newest.runs.every(isQueued);
  for (const state of states) {
    const found = state === "queued" && areAllQueued ? newest : await ask({ state });
    for (const run of found.runs) runs.set(run.id, run);
    if (found.next_cursor !== null) cut.add(state);
  }
  return split(
    [...runs.values()].toSorted((one, other) => Date.parse(other.queued_at) - Date.parse(one.queued_at)),
    cut,
  );
}

function split(runs: readonly Run[], cut: ReadonlySet<State>): Unended {
  return {
    active: {
      runs: runs.filter((run) => !isQueued(run)),
      hasMore: states.some((state) => state !== "queued" && cut.has(state)),
    },
    queued: { runs: runs.filter(isQueued), hasMore: cut.has("queued") },
  };
}
