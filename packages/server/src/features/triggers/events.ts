import type { ModuleEvents } from "../../kernel/module.ts";
import type { TriggerFact } from "./facts.ts";
import type { Triggers } from "./service.ts";

export function triggerEvents(triggers: Triggers): ModuleEvents<TriggerFact> {
  const event =
    (verb: "created" | "updated" | "deleted") =>
    ({ triggerId: id }: { readonly triggerId: string }) => {
      const row = triggers.find(id);
      if (row === undefined) return verb === "deleted" ? ({ kind: "trigger", verb, id } as const) : null;
      return { kind: "trigger", verb, id, trigger: triggers.view(row) } as const;
    };
  return {
    kind: "trigger",
    of: {
      "trigger.created": event("created"),
      "trigger.updated": event("updated"),
      "trigger.deleted": event("deleted"),
    },
  };
}
