import type { Client, Group } from "@belfry/client";
import { find } from "./find.ts";

export function findGroup(client: Client, typed: string): Promise<Group> {
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
