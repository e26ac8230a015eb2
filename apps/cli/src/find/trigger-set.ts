import type { TriggerSet } from "@belfry/client";
import type { AnyClient } from "../any-client.ts";
import { find, type ResourceKind } from "./find.ts";

export function triggerSetKind(client: AnyClient): ResourceKind<TriggerSet> {
  return {
    noun: "trigger-set",
    idPrefix: "set",
    get: (id) => client.triggerSets.get(id),
    search: (part) => client.triggerSets.list(part === null ? {} : { q: part }),
    // no two sets share a name
    pathOf: (set) => set.name,
  };
}

export function findTriggerSet(client: AnyClient, typed: string): Promise<TriggerSet> {
  return find(triggerSetKind(client), typed);
}
