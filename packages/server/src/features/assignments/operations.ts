import type { assignmentOperations } from "@belfry/contract";
import type { OperationsOf } from "../../kernel/operation.ts";
import type { Tasks } from "../tasks/index.ts";
import type { AssignmentFact } from "./facts.ts";
import type { Assignments } from "./service.ts";
import { viewAssignments, viewEffective } from "./view.ts";

export interface AssignmentOperationDeps {
  readonly assignments: Assignments;
  readonly tasks: Tasks;
}

export function serveAssignments({
  assignments,
  tasks,
}: AssignmentOperationDeps): OperationsOf<typeof assignmentOperations, AssignmentFact> {
  return {
    "notification_assignments.of_task": { handle: ({ params }) => viewAssignments(assignments.get("task", params.id)) },
    "notification_assignments.replace_of_task": {
      handle: (unit, { params, body }) =>
        viewAssignments(assignments.replace(unit, { scope: "task", id: params.id }, body)),
    },
    "notification_assignments.effective": {
      handle: ({ params }) => viewEffective(assignments.effectiveOf(tasks.get(params.id))),
    },
    "notification_assignments.of_group": {
      handle: ({ params }) => viewAssignments(assignments.get("group", params.id)),
    },
    "notification_assignments.replace_of_group": {
      handle: (unit, { params, body }) =>
        viewAssignments(assignments.replace(unit, { scope: "group", id: params.id }, body)),
    },
  };
}
