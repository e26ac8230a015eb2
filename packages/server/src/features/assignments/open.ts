import type { Db } from "../../kernel/storage/database.ts";
import { assignmentEvents } from "./events.ts";
import { serveAssignments } from "./operations.ts";
import { type AssignmentDeps, createAssignments } from "./service.ts";
import { createAssignmentStore } from "./store.ts";

export interface AssignmentsParts extends Omit<AssignmentDeps, "store"> {
  readonly db: Db;
}

export function openAssignments({ db, ...parts }: AssignmentsParts) {
  const service = createAssignments({ ...parts, store: createAssignmentStore(db) });
  return {
    service,
    operations: serveAssignments({ assignments: service, tasks: parts.tasks }),
    events: assignmentEvents,
    revisions: { notification_assignment: service.revisionOf },
  };
}
