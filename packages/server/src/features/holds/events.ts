import type { ModuleEvents } from "../../kernel/module.ts";
import { resourceEvents } from "../../kernel/resource-events.ts";
import type { HoldFact } from "./facts.ts";
import type { Holds } from "./service.ts";
import { viewHold } from "./view.ts";

export function holdEvents(holds: Holds): ModuleEvents<HoldFact> {
  const event = resourceEvents("hold", (id) => {
    const row = holds.find(id);
    return row && viewHold(row, holds.groupNameOf(row));
  });
  return {
    kind: "hold",
    of: {
      "hold.created": ({ holdId }) => event.created(holdId),
      "hold.updated": ({ holdId }) => event.updated(holdId),
      "hold.ending": null,
      "hold.released": ({ holdId }) => event.deleted(holdId),
    },
  };
}
