import { createStore, useStore } from "./store.ts";

/** What somebody folded or unfolded, by the id of the group, as long as the screens are open. */
const chosen = createStore<ReadonlyMap<string, boolean>>(new Map());

/** Whether each group is folded that somebody folded or unfolded. */
export function useFoldedGroups(): ReadonlyMap<string, boolean> {
  return useStore(chosen);
}

export function foldGroups(ids: readonly string[], isFolded: boolean): void {
  chosen.set(new Map([...chosen.get(), ...ids.map((id) => [id, isFolded] as const)]));
}
