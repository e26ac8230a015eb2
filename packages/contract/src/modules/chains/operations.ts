import { z } from "zod";
import { listOf, pageQuery } from "../../core/list.ts";
import { defineOperation, everywhere } from "../../core/operation.ts";
import { IdParams, referenceTo } from "../../core/references.ts";
import { Chain, ChainCreate, ChainGraph, ChainPatch } from "./schemas.ts";

const module = { resource: "chain", transports: everywhere } as const;
const read = { ...module, kind: "read", capability: "observe", audited: false } as const;
const write = { ...module, kind: "write", capability: "manage", audited: true } as const;
const answer = { kind: "json", status: 200, schema: Chain } as const;
const taskId = referenceTo("task");

export const chainOperations = [
  defineOperation({
    ...read,
    id: "chains.list",
    method: "get",
    path: "/chains",
    summary: "List chains, newest first; all of them unless `limit` is given",
    query: z.strictObject({
      ...pageQuery,
      source_task_id: taskId.optional().meta({ description: "Only chains whose source is this task" }),
      target_task_id: taskId.optional().meta({ description: "Only chains whose target is this task" }),
    }),
    response: { kind: "json", status: 200, schema: listOf("chains", Chain).meta({ id: "ChainList" }) },
    errors: [],
  }),
  defineOperation({
    ...write,
    id: "chains.create",
    method: "post",
    path: "/chains",
    summary: "Create a chain: when a run of one task ends, start another task",
    description:
      "The call is rejected if the chains would form a cycle, or if a chain between the same tasks already covers this outcome. Disabled chains count too.",
    body: ChainCreate,
    response: { kind: "json", status: 201, schema: Chain },
    errors: ["not_found"],
    replayedBy: "chains.get",
    example: {
      source_task_id: "tsk_4fzH1TqWb8YkV0c2LxNd",
      target_task_id: "tsk_9sGm2RvXe7PuQ1bKjZtA",
      on_outcome: "success",
    },
  }),
  defineOperation({
    ...read,
    id: "chains.graph",
    method: "get",
    path: "/chains/graph",
    summary: "Get all chains and their tasks, each source before its targets",
    query: z.strictObject({
      task_id: taskId.optional().meta({ description: "Only the chains before and after this task" }),
    }),
    response: { kind: "json", status: 200, schema: ChainGraph },
    errors: ["not_found"],
  }),
  defineOperation({
    ...read,
    id: "chains.get",
    method: "get",
    path: "/chains/{id}",
    summary: "Get a chain",
    params: IdParams,
    response: answer,
    errors: ["not_found"],
  }),
  defineOperation({
    ...write,
    id: "chains.update",
    method: "patch",
    path: "/chains/{id}",
    summary: "Change a chain",
    description: "Runs that the chain has already queued do not change, including those that wait for its delay.",
    params: IdParams,
    body: ChainPatch,
    response: answer,
    errors: ["not_found"],
    conditional: true,
    example: { on_outcome: "any", delay: "5m" },
  }),
  defineOperation({
    ...write,
    id: "chains.delete",
    method: "delete",
    path: "/chains/{id}",
    summary: "Delete a chain",
    description: "Runs that the chain has already queued are kept.",
    params: IdParams,
    response: { kind: "empty", status: 204 },
    errors: ["not_found"],
    conditional: true,
  }),
] as const;
