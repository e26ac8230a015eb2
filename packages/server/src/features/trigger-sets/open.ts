import type { Tasks } from "../tasks/index.ts";
import type { Members, Triggers } from "../triggers/index.ts";
import { triggerSetEvents } from "./events.ts";
import { serveTriggerSets } from "./operations.ts";
import { createTriggerSets } from "./service.ts";
import type { TriggerSetStore } from "./store.ts";

export interface TriggerSetsParts {
  readonly store: TriggerSetStore;
  readonly tasks: Tasks;
  readonly triggers: Triggers;
  readonly members: Members;
}

export function openTriggerSets(parts: TriggerSetsParts) {
  const service = createTriggerSets(parts);
  return {
    service,
    operations: serveTriggerSets({ triggerSets: service, tasks: parts.tasks }),
    events: triggerSetEvents(),
    revisions: { trigger_set: (id: string) => service.find(id)?.revision },
  };
}
