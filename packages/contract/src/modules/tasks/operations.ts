import { z } from "zod";
import { labelOf, listOf, namePart, pageQuery } from "../../core/list.ts";
import { defineOperation, everywhere, localOnly } from "../../core/operation.ts";
import { IdParams, referenceTo } from "../../core/references.ts";
import { QueryBoolean, queryInteger } from "../../core/scalars.ts";
import { recentOutcomesMax, recentOutcomesShown } from "./history.ts";
import { Task, TaskCreate, TaskEnvironment, TaskPatch, TaskStandardInput } from "./schemas.ts";

const module = { resource: "task", transports: everywhere } as const;
const read = { ...module, kind: "read", capability: "observe", audited: false } as const;
const write = { ...module, kind: "write", audited: true } as const;
const answer = { kind: "json", status: 200, schema: Task } as const;
const bodyMembers = {
  localMembers: ["environment", "standard_input", "run_as"],
  commandMembers: ["command", "working_directory"],
} as const;
const onOne = { method: "post", params: IdParams, response: answer, conditional: true } as const;

export const taskOperations = [
  defineOperation({
    ...read,
    id: "tasks.list",
    method: "get",
    path: "/tasks",
    summary: "List tasks, newest first",
    query: z.strictObject({
      ...pageQuery,
      group_id: referenceTo("group").optional().meta({ description: "Only tasks directly in this group" }),
      grouped: QueryBoolean.optional().meta({ description: "Only tasks in a group, or only tasks in no group" }),
      enabled: QueryBoolean.optional(),
      overdue: QueryBoolean.optional().meta({ description: "Only tasks whose success is overdue, or only the others" }),
      recent: queryInteger(1, recentOutcomesMax)
        .optional()
        .meta({
          description: `The number of \`recent_outcomes\` of each task. Default: ${recentOutcomesShown}`,
        }),
      label: labelOf("tasks"),
      q: namePart("tasks"),
    }),
    response: { kind: "json", status: 200, schema: listOf("tasks", Task).meta({ id: "TaskList" }) },
    errors: [],
  }),
  defineOperation({
    ...write,
    id: "tasks.create",
    method: "post",
    path: "/tasks",
    summary: "Create a task",
    description: "A task with a command is active; a task without one is a draft.",
    capability: "manage",
    body: TaskCreate,
    ...bodyMembers,
    response: { kind: "json", status: 201, schema: Task },
    errors: ["not_found"],
    replayedBy: "tasks.get",
    example: { name: "Nightly backup", command: { kind: "shell", script: "backup --all" }, timeout: "2h" },
  }),
  defineOperation({
    ...read,
    id: "tasks.get",
    method: "get",
    path: "/tasks/{id}",
    summary: "Get a task",
    params: IdParams,
    response: answer,
    errors: ["not_found"],
  }),
  defineOperation({
    ...write,
    id: "tasks.update",
    method: "patch",
    path: "/tasks/{id}",
    summary: "Change a task",
    description:
      "`environment` and `labels` are merged by name; other nested objects are replaced as a whole. Setting a command makes a draft active.",
    capability: "manage",
    params: IdParams,
    body: TaskPatch,
    ...bodyMembers,
    response: answer,
    errors: ["not_found"],
    conditional: true,
    example: { timeout: "30m", environment: { LEVEL: "full", OLD: null } },
  }),
  defineOperation({
    ...write,
    id: "tasks.delete",
    method: "delete",
    path: "/tasks/{id}",
    summary: "Delete a task; its runs stay in the history",
    description:
      "The task's schedules, chains and notification assignments are deleted too. If a run is queued or active, the call is rejected with 409.",
    capability: "manage",
    params: IdParams,
    response: { kind: "empty", status: 204 },
    errors: ["not_found", "conflict"],
    conditional: true,
  }),
  defineOperation({
    ...write,
    ...onOne,
    id: "tasks.enable",
    path: "/tasks/{id}/enable",
    summary: "Enable a task",
    capability: "operate",
    errors: ["not_found"],
  }),
  defineOperation({
    ...write,
    ...onOne,
    id: "tasks.disable",
    path: "/tasks/{id}/disable",
    summary: "Disable a task: it does not start; active runs continue",
    capability: "operate",
    errors: ["not_found"],
  }),
  defineOperation({
    ...write,
    ...onOne,
    id: "tasks.archive",
    path: "/tasks/{id}/archive",
    summary: "Archive a task: it does not start until it is restored",
    capability: "manage",
    errors: ["not_found", "conflict"],
  }),
  defineOperation({
    ...write,
    ...onOne,
    id: "tasks.restore",
    path: "/tasks/{id}/restore",
    summary: "Restore an archived task",
    capability: "manage",
    errors: ["not_found", "conflict"],
  }),
  defineOperation({
    ...module,
    transports: localOnly,
    id: "tasks.environment",
    method: "get",
    path: "/tasks/{id}/environment",
    summary: "Reveal a task's own environment variables",
    kind: "read",
    capability: "manage",
    audited: true,
    params: IdParams,
    response: { kind: "json", status: 200, schema: TaskEnvironment },
    errors: ["not_found"],
  }),
  defineOperation({
    ...module,
    transports: localOnly,
    id: "tasks.standard_input",
    method: "get",
    path: "/tasks/{id}/standard-input",
    summary: "Reveal a task's standard input",
    kind: "read",
    capability: "manage",
    audited: true,
    params: IdParams,
    response: { kind: "json", status: 200, schema: TaskStandardInput },
    errors: ["not_found"],
  }),
] as const;
