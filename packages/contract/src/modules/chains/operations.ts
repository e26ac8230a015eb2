import { z } from "zod";
import { listOf, pageQuery } from "../../core/list.ts";
import { defineOperation } from "../../core/operation.ts";
import { IdParams, referenceTo } from "../../core/references.ts";
import { Chain, ChainCreate, ChainGraph, ChainPatch } from "./schemas.ts";

const module = { resource: "chain", remote: true } as const;
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
    summary: "All chains, newest first; complete unless `limit` is given",
    query: z.strictObject({
      ...pageQuery,
      source_task_id: taskId.optional().meta({ description: "That wait for this task" }),
      target_task_id: taskId.optional().meta({ description: "That start this task" }),
    }),
    response: { kind: "json", status: 200, schema: listOf("chains", Chain).meta({ id: "ChainList" }) },
    errors: [],
  }),
  defineOperation({
    ...write,
    id: "chains.create",
    method: "post",
    path: "/chains",
    summary: "Start a task when another has ended so",
    description:
      "Refused where a task would start itself, directly or by way of others, and where a chain of these tasks answers for the same outcome already; disabled chains count.",
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
    summary: "All chains with their tasks, every source before its targets",
    query: z.strictObject({
      task_id: taskId.optional().meta({ description: "Only what leads to this task, and where it leads" }),
    }),
    response: { kind: "json", status: 200, schema: ChainGraph },
    errors: ["not_found"],
  }),
  defineOperation({
    ...read,
    id: "chains.get",
    method: "get",
    path: "/chains/{id}",
    summary: "One chain",
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
    description: "Runs that it has asked for already stay as they are, those that wait for its delay included.",
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
    description: "Runs that it has asked for already stay.",
    params: IdParams,
    response: { kind: "empty", status: 204 },
    errors: ["not_found"],
    conditional: true,
  }),
] as const;
