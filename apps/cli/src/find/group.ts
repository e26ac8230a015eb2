import type { Group } from "@belfry/client";
import type { AnyClient } from "../any-client.ts";
import { find } from "./find.ts";

export function findGroup(client: AnyClient, typed: string): Promise<Group> {
  return find(
    {
      noun: "group",
      idPrefix: "grp",
      get: (id) => client.groups.get(id),
      search: (part) => client.groups.list(part === null ? {} : { q: part }),
      // no two groups share a name
      pathOf: (group) => group.name,
    },
    typed,
  );
}
