/** The limits of a task's runs: its own, and those of the groups around it. */
export interface Limits {
  readonly taskId: string;
  readonly taskMax: number;
  readonly groups: readonly { readonly id: string; readonly max: number | null }[];
}

export type Slots = ReturnType<typeof createSlots>;
export type Refusal = "all" | "task" | "group";

/** Counts used slots: of the daemon, of each task, and of each group including everything below it. Pure. */
export function createSlots(runsAtOnceMax: number) {
  const ofTask = new Map<string, number>();
  const ofGroup = new Map<string, number>();
  let taken = 0;

  return {
    take: (limits: Limits): void => {
      taken++;
      ofTask.set(limits.taskId, (ofTask.get(limits.taskId) ?? 0) + 1);
      for (const { id } of limits.groups) ofGroup.set(id, (ofGroup.get(id) ?? 0) + 1);
    },
    /** Returns the limit that is reached, or null if a slot is free. */
    refusal: (limits: Limits): Refusal | null => {
      if (taken >= runsAtOnceMax) return "all";
      if ((ofTask.get(limits.taskId) ?? 0) >= limits.taskMax) return "task";
      return limits.groups.some(({ id, max }) => max !== null && (ofGroup.get(id) ?? 0) >= max) ? "group" : null;
    },
    get free(): number {
      return Math.max(0, runsAtOnceMax - taken);
    },
  };
}
