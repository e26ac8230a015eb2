/** The limits of a task's runs: of its pool, which is its own unless it shares a key, and of the groups around it. */
export interface Limits {
  readonly pool: { readonly id: string; readonly max: number };
  readonly groups: readonly { readonly id: string; readonly max: number | null }[];
}

export type Slots = ReturnType<typeof createSlots>;
export type Refusal = "all" | "pool" | "group";

/** Counts used slots: of the daemon, of each pool, and of each group including everything below it. Pure. */
export function createSlots(runsAtOnceMax: number) {
  const ofPool = new Map<string, number>();
  const ofGroup = new Map<string, number>();
  let taken = 0;

  return {
    take: ({ pool, groups }: Limits): void => {
      taken++;
      ofPool.set(pool.id, (ofPool.get(pool.id) ?? 0) + 1);
      for (const { id } of groups) ofGroup.set(id, (ofGroup.get(id) ?? 0) + 1);
    },
    /** Returns the limit that is reached, or null if a slot is free. */
    refusal: ({ pool, groups }: Limits): Refusal | null => {
      if (taken >= runsAtOnceMax) return "all";
      if ((ofPool.get(pool.id) ?? 0) >= pool.max) return "pool";
      return groups.some(({ id, max }) => max !== null && (ofGroup.get(id) ?? 0) >= max) ? "group" : null;
    },
    get free(): number {
      return Math.max(0, runsAtOnceMax - taken);
    },
  };
}
