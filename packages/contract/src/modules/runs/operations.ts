import { z } from "zod";
import { listOf, pageQuery } from "../../core/list.ts";
import { defineOperation, everywhere } from "../../core/operation.ts";
import { IdParams, referenceTo } from "../../core/references.ts";
import { QueryBoolean, queryInteger, Timestamp } from "../../core/scalars.ts";
import { failedTasksMax, RunFailures } from "./failures.ts";
import { Run, RunAttempt, runOutcomes, RunRequest, runStates, runTriggers } from "./schemas.ts";

const module = { resource: "run", transports: everywhere } as const;
const read = { ...module, kind: "read", capability: "observe", audited: false } as const;
const write = { ...module, kind: "write", capability: "operate", audited: true, params: IdParams } as const;

export const runOperations = [
  defineOperation({
    ...write,
    id: "tasks.run",
    resource: "task",
    method: "post",
    path: "/tasks/{id}/run",
    summary: "Run a task now, or at a given time",
    description: "If the task is not ready, the call is rejected with 409 and the reason, and no run is created.",
    body: RunRequest,
    bodyOptional: true,
    response: { kind: "json", status: 202, schema: Run },
    errors: ["not_found", "conflict"],
    replayedBy: "runs.get",
    example: {},
  }),
  defineOperation({
    ...read,
    id: "runs.list",
    method: "get",
    path: "/runs",
    summary: "List runs, newest first",
    query: z.strictObject({
      ...pageQuery,
      task_id: referenceTo("task").optional(),
      group_id: referenceTo("group").optional().meta({ description: "Only runs of tasks directly in this group" }),
      state: z.enum(runStates).optional(),
      ended: QueryBoolean.optional().meta({
        description: "Only runs that have ended, or only queued and active ones. Skipped runs have ended",
      }),
      active: QueryBoolean.optional().meta({
        description: "Only active runs, which are `dispatching`, `running` or `cancelling`, or only all others",
      }),
      outcome: z.enum(runOutcomes).optional(),
      trigger: z.enum(runTriggers).optional(),
      since: Timestamp.optional().meta({ description: "Only runs queued at or after this time" }),
      until: Timestamp.optional().meta({ description: "Only runs queued before this time" }),
    }),
    response: { kind: "json", status: 200, schema: listOf("runs", Run).meta({ id: "RunList" }) },
    errors: [],
  }),
  defineOperation({
    ...read,
    id: "runs.get",
    method: "get",
    path: "/runs/{id}",
    summary: "Get a run",
    params: IdParams,
    response: { kind: "json", status: 200, schema: Run },
    errors: ["not_found"],
  }),
  defineOperation({
    ...read,
    id: "runs.attempts",
    method: "get",
    path: "/runs/{id}/attempts",
    summary: "List the attempts of a run, oldest first",
    params: IdParams,
    response: {
      kind: "json",
      status: 200,
      schema: z.object({ attempts: z.array(RunAttempt) }).meta({ id: "RunAttemptList" }),
    },
    errors: ["not_found"],
  }),
  defineOperation({
    ...read,
    id: "runs.failures",
    method: "get",
    path: "/failures",
    summary: "List the tasks that failed since a time",
    description: "However often one task fails, every other one is listed too.",
    query: z.strictObject({
      since: Timestamp.meta({ description: "Only failures that ended at or after this time" }),
      limit: queryInteger(1, failedTasksMax).optional().meta({ description: "The most tasks to list. Default: 50" }),
    }),
    response: { kind: "json", status: 200, schema: RunFailures },
    errors: [],
  }),
  defineOperation({
    ...write,
    id: "runs.cancel",
    method: "post",
    path: "/runs/{id}/cancel",
    summary: "Cancel a run: SIGTERM, then SIGKILL after the task's `kill_grace`",
    description:
      "A second cancel sends SIGKILL immediately. If the run has already ended, the call is rejected with 409.",
    response: { kind: "json", status: 200, schema: Run },
    errors: ["not_found", "conflict"],
  }),
  defineOperation({
    ...write,
    id: "runs.rerun",
    method: "post",
    path: "/runs/{id}/rerun",
    summary: "Run the task of a run again",
    response: { kind: "json", status: 202, schema: Run },
    errors: ["not_found", "conflict"],
    replayedBy: "runs.get",
  }),
] as const;
