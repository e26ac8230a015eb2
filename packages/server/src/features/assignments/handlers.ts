import type { assignmentOperations } from "@belfry/contract";
import type { HandlersOf } from "../../kernel/operation.ts";
import type { Tasks } from "../tasks/index.ts";
import type { AssignmentFact } from "./facts.ts";
import type { Assignments } from "./service.ts";
import { viewAssignments, viewEffective } from "./view.ts";

export interface AssignmentHandlerDeps {
  readonly assignments: Assignments;
  readonly tasks: Tasks;
}

export function createAssignmentHandlers({
  assignments,
  tasks,
}: AssignmentHandlerDeps): HandlersOf<typeof assignmentOperations, AssignmentFact> {
  return {
    "notification_assignments.of_task": ({ params }) => viewAssignments(assignments.get("task", params.id)),
    "notification_assignments.replace_of_task": (unit, { params, body }) =>
      viewAssignments(assignments.replace(unit, { scope: "task", id: params.id }, body)),
    "notification_assignments.effective": ({ params }) => viewEffective(assignments.effectiveOf(tasks.get(params.id))),
    "notification_assignments.of_group": ({ params }) => viewAssignments(assignments.get("group", params.id)),
    "notification_assignments.replace_of_group": (unit, { params, body }) =>
      viewAssignments(assignments.replace(unit, { scope: "group", id: params.id }, body)),
  };
}
