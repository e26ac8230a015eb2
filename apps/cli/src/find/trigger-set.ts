import type { TriggerSet } from "@belfry/client";
import type { AnyClient } from "../any-client.ts";
import { find } from "./find.ts";

export function findTriggerSet(client: AnyClient, typed: string): Promise<TriggerSet> {
  return find(
    {
      noun: "trigger-set",
      idPrefix: "set",
      get: (id) => client.triggerSets.get(id),
      search: (part) => client.triggerSets.list(part === null ? {} : { q: part }),
      // no two sets share a name
      pathOf: (set) => set.name,
    },
    typed,
  );
}
