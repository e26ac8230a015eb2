import type { ModuleEvents } from "../../kernel/module.ts";
import type { AssignmentFact } from "./facts.ts";

/** An event names the task or the group alone: its assignments are read from there. */
export const assignmentEvents: ModuleEvents<AssignmentFact> = {
  kind: "notification_assignment",
  of: {
    "assignments.replaced": ({ scope, scopeId: id }) => ({
      kind: "notification_assignment",
      verb: "updated",
      id,
      scope,
    }),
  },
};
