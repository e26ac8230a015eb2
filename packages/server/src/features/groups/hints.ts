import type { Hints } from "../../kernel/module.ts";
import type { GroupFact } from "./facts.ts";
import type { Groups } from "./service.ts";
import { viewGroup } from "./view.ts";

export function groupHints(groups: Groups): Hints<GroupFact> {
  const hint =
    (verb: "created" | "updated" | "deleted") =>
    ({ groupId: id }: { readonly groupId: string }) => {
      const row = groups.find(id);
      if (row === undefined) return verb === "deleted" ? ({ kind: "group", verb, id } as const) : null;
      return { kind: "group", verb, id, group: viewGroup(row) } as const;
    };
  return {
    kind: "group",
    of: {
      "group.created": hint("created"),
      "group.updated": hint("updated"),
      "group.deleting": null,
      "group.deleted": hint("deleted"),
    },
  };
}
