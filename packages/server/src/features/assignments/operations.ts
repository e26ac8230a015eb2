import type { assignmentOperations } from "@belfry/contract";
import type { OperationsOf } from "../../kernel/operation.ts";
import { readList } from "../../kernel/storage/page.ts";
import type { Tasks } from "../tasks/index.ts";
import type { AssignmentFact } from "./facts.ts";
import type { Assignments } from "./service.ts";
import { viewAssignments, viewEffective, viewOfChannel } from "./view.ts";

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
    "notification_assignments.of_channel": {
      handle: ({ params, query }) => {
        const { rows, next_cursor } = readList({
          operation: "notification_assignments.of_channel",
          query: { ...query, channel: params.id },
          find: (page) => assignments.listOfChannel(params.id, page),
          startOf: ({ id }) => ({ at: 0, id }),
        });
        return { assignments: rows.map(viewOfChannel), next_cursor };
      },
    },
  };
}
