import type { SealedEnvironments } from "../../kernel/secrets/sealed-environment.ts";
import type { Db } from "../../kernel/storage/database.ts";
import { groupEvents } from "./events.ts";
import { serveGroups } from "./operations.ts";
import { createGroups } from "./service.ts";
import { createGroupStore } from "./store.ts";

export interface GroupsParts {
  readonly db: Db;
  readonly environments: SealedEnvironments;
  /** Returns the canonical name of a zone. Throws `validation_failed` for an unknown zone. */
  readonly checkZone: (zone: string, field: string) => string;
}

export function openGroups({ db, environments, checkZone }: GroupsParts) {
  const service = createGroups({ store: createGroupStore(db), environments, checkZone });
  return {
    service,
    operations: serveGroups(service),
    events: groupEvents(service),
    revisions: { group: (id: string) => service.find(id)?.revision },
  };
}
