import type { Trigger } from "@belfry/client";
import type { AnyClient } from "../any-client.ts";
import { find, type ResourceKind } from "./find.ts";

export function triggerKind(client: AnyClient): ResourceKind<Trigger> {
  return {
    noun: "trigger",
    idPrefix: "trg",
    get: (id) => client.triggers.get(id),
    search: (part) => client.triggers.list(part === null ? {} : { q: part }),
    // no two triggers share a name
    pathOf: (trigger) => trigger.name,
  };
}

export function findTrigger(client: AnyClient, typed: string): Promise<Trigger> {
  return find(triggerKind(client), typed);
}
