import type { ModuleEvents } from "../../kernel/module.ts";
import { resourceEvents } from "../../kernel/resource-events.ts";
import type { TriggerFact } from "./facts.ts";
import type { Triggers } from "./service.ts";

export function triggerEvents(triggers: Triggers): ModuleEvents<TriggerFact> {
  const event = resourceEvents("trigger", (id) => {
    const row = triggers.find(id);
    return row && triggers.view(row);
  });
  return {
    kind: "trigger",
    of: {
      "trigger.created": ({ triggerId }) => event.created(triggerId),
      "trigger.updated": ({ triggerId }) => event.updated(triggerId),
      "trigger.deleted": ({ triggerId }) => event.deleted(triggerId),
    },
  };
}
