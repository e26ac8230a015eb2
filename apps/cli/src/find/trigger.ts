import type { Trigger } from "@belfry/client";
import type { AnyClient } from "../any-client.ts";
import { find } from "./find.ts";

export function findTrigger(client: AnyClient, typed: string): Promise<Trigger> {
  return find(
    {
      noun: "trigger",
      idPrefix: "trg",
      get: (id) => client.triggers.get(id),
      search: (part) => client.triggers.list(part === null ? {} : { q: part }),
      // no two triggers share a name
      pathOf: (trigger) => trigger.name,
    },
    typed,
  );
}
