import { z } from "zod";
import { listOf, pageQuery } from "../../core/list.ts";
import { defineOperation } from "../../core/operation.ts";
import { IdParams, referenceTo } from "../../core/references.ts";
import { QueryBoolean } from "../../core/scalars.ts";
import { Fired, FireRequest, Trigger, TriggerCreate, TriggerPatch, TriggerSecret } from "./schemas.ts";

const module = { resource: "trigger" } as const;
const read = { ...module, remote: true, kind: "read", capability: "observe", audited: false } as const;
const operate = { ...module, remote: true, kind: "write", capability: "operate", audited: true } as const;
// definitions and keys stay on this machine
const manage = { ...module, remote: false, kind: "write", capability: "manage", audited: true } as const;
const answer = { kind: "json", status: 200, schema: Trigger } as const;
const secretAnswer = { kind: "json", status: 200, schema: TriggerSecret } as const;
const onOne = { method: "post", params: IdParams, errors: ["not_found"] } as const;

export const triggerOperations = [
  defineOperation({
    ...read,
    id: "triggers.list",
    method: "get",
    path: "/triggers",
    summary: "All triggers, newest first; complete unless `limit` is given",
    query: z.strictObject({
      ...pageQuery,
      target_task_id: referenceTo("task").optional(),
      enabled: QueryBoolean.optional(),
      q: z.string().min(1).max(200).optional().meta({ description: "A part of the name" }),
    }),
    response: { kind: "json", status: 200, schema: listOf("triggers", Trigger).meta({ id: "TriggerList" }) },
    errors: [],
  }),
  defineOperation({
    ...manage,
    id: "triggers.create",
    method: "post",
    path: "/triggers",
    summary: "Create a trigger; the answer has its key",
    description:
      "A repeated call with its `Idempotency-Key` reveals the key again, and is audited as that; once the key was rotated it is refused with 409.",
    body: TriggerCreate,
    response: { kind: "json", status: 201, schema: TriggerSecret },
    errors: ["not_found"],
    replayedBy: "triggers.reveal",
    makes: "trigger.id",
    example: { name: "Deploy from CI", target_task_id: "tsk_4fzH1TqWb8YkV0c2LxNd" },
  }),
  defineOperation({
    ...operate,
    id: "triggers.fire",
    method: "post",
    path: "/triggers/fire",
    summary: "Run the task of the trigger that has this key",
    description:
      "The answer comes once the run is durable. Where nothing can run, the code says why and no run is made. A repeated call with its `Idempotency-Key` answers the first one's run; once the key was rotated it is refused with 409.",
    body: FireRequest,
    response: { kind: "json", status: 202, schema: Fired },
    errors: [
      "trigger_unknown",
      "trigger_disabled",
      "trigger_target_missing",
      "trigger_command_incomplete",
      "trigger_task_inactive",
      "trigger_task_disabled",
      "trigger_group_blocked",
      "trigger_dispatch_unavailable",
    ],
    replayedBy: "triggers.fire",
    makes: "run_id",
    concerns: "trigger_id",
    example: { key: "bfk_9sLq2XvT_kV7nRw4ZpYb1cJ0hFtMd8uG3eQx6aSoi" },
  }),
  defineOperation({
    ...read,
    id: "triggers.get",
    method: "get",
    path: "/triggers/{id}",
    summary: "One trigger",
    params: IdParams,
    response: answer,
    errors: ["not_found"],
  }),
  defineOperation({
    ...manage,
    id: "triggers.update",
    method: "patch",
    path: "/triggers/{id}",
    summary: "Rename a trigger, or give it another task",
    description: "A member of a Trigger Set keeps the set's task: giving it another is refused with 409.",
    params: IdParams,
    body: TriggerPatch,
    response: answer,
    errors: ["not_found", "conflict"],
    conditional: true,
    example: { target_task_id: "tsk_4fzH1TqWb8YkV0c2LxNd" },
  }),
  defineOperation({
    ...manage,
    id: "triggers.delete",
    method: "delete",
    path: "/triggers/{id}",
    summary: "Delete a trigger; its key is worthless from then on",
    description: "The last member of a Trigger Set is refused with 409: delete the set.",
    params: IdParams,
    response: { kind: "empty", status: 204 },
    errors: ["not_found", "conflict"],
    conditional: true,
  }),
  defineOperation({
    ...operate,
    ...onOne,
    id: "triggers.enable",
    path: "/triggers/{id}/enable",
    summary: "Let a trigger be fired again",
    response: answer,
    conditional: true,
  }),
  defineOperation({
    ...operate,
    ...onOne,
    id: "triggers.disable",
    path: "/triggers/{id}/disable",
    summary: "Refuse to be fired; runs under way go on",
    response: answer,
    conditional: true,
  }),
  defineOperation({
    ...manage,
    ...onOne,
    id: "triggers.rotate",
    path: "/triggers/{id}/rotate",
    summary: "Replace the key, and answer the new one",
    description: "The former key is worthless from the same instant on.",
    response: secretAnswer,
    conditional: true,
  }),
  defineOperation({
    ...manage,
    ...onOne,
    id: "triggers.reveal",
    kind: "read",
    path: "/triggers/{id}/reveal",
    summary: "Reveal a trigger's key",
    response: secretAnswer,
  }),
] as const;
