import type { ModuleEvents } from "../../kernel/module.ts";
import type { GroupFact } from "./facts.ts";
import type { Groups } from "./service.ts";
import { viewGroup } from "./view.ts";

export function groupEvents(groups: Groups): ModuleEvents<GroupFact> {
  const event =
    (verb: "created" | "updated" | "deleted") =>
    ({ groupId: id }: { readonly groupId: string }) => {
      const row = groups.find(id);
      if (row === undefined) return verb === "deleted" ? ({ kind: "group", verb, id } as const) : null;
      return { kind: "group", verb, id, group: viewGroup(row) } as const;
    };
  return {
    kind: "group",
    of: {
      "group.created": event("created"),
      "group.updated": event("updated"),
      "group.deleting": null,
      "group.deleted": event("deleted"),
    },
  };
}
