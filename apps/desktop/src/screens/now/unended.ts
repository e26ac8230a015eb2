import type { Client, Run } from "@belfry/client";

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

/**
 * Reads what is queued and what runs: of both the newest, because a thousand queued runs hide none that is running. One after
 * the other, because a run that starts between two reads at once could be in neither.
 */
export async function readUnended({ runs: lister }: RunLister, signal: AbortSignal): Promise<Unended> {
  const ask = async (of: { readonly state: "queued" } | { readonly active: true }): Promise<Part> => {
    const { runs, next_cursor: next } = await lister.list({ ...of, limit: readMax }, { signal });
    return { runs, hasMore: next !== null };
  };
  const queued = await ask({ state: "queued" });
  const active = await ask({ active: true });
  // a run that started meanwhile is in both
  const activeIds = new Set(active.runs.map(({ id }) => id));
  return { active, queued: { ...queued, runs: queued.runs.filter(({ id }) => !activeIds.has(id)) } };
}
