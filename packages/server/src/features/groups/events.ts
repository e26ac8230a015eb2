import type { ModuleEvents } from "../../kernel/module.ts";
import { resourceEvents } from "../../kernel/resource-events.ts";
import { eventViewer } from "../../kernel/show.ts";
import type { GroupFact } from "./facts.ts";
import type { Groups } from "./service.ts";
import { viewGroup } from "./view.ts";

export function groupEvents(groups: Groups): ModuleEvents<GroupFact> {
  const event = resourceEvents("group", (id) => {
    const row = groups.find(id);
    return row && viewGroup(row, eventViewer);
  });
  return {
    kind: "group",
    of: {
      "group.created": ({ groupId }) => event.created(groupId),
      "group.updated": ({ groupId }) => event.updated(groupId),
      "group.deleting": null,
      "group.deleted": ({ groupId }) => event.deleted(groupId),
    },
  };
}
