import type { ModuleEvents } from "../../kernel/module.ts";
import type { TriggerSetFact } from "./facts.ts";

/** Creates the events of trigger sets. A fact has everything for its event, because a deleted set has no row. */
export function triggerSetEvents(): ModuleEvents<TriggerSetFact> {
  const event =
    (verb: "created" | "updated" | "deleted") =>
    ({ setId: id, setName: name, memberCount: member_count }: TriggerSetFact) =>
      ({ kind: "trigger_set", verb, id, name, member_count }) as const;
  return {
    kind: "trigger_set",
    of: {
      "trigger_set.created": event("created"),
      "trigger_set.updated": event("updated"),
      "trigger_set.deleted": event("deleted"),
    },
  };
}
