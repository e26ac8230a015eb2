import { z } from "zod";
import { listOf, namePart, pageQuery } from "../../core/list.ts";
import { defineOperation, everywhere, localOnly } from "../../core/operation.ts";
import { IdParams, referenceTo } from "../../core/references.ts";
import { QueryBoolean } from "../../core/scalars.ts";
import { Fired, FireRequest, Trigger, TriggerCreate, TriggerPatch, TriggerSecret } from "./schemas.ts";

const module = { resource: "trigger" } as const;
const read = { ...module, transports: everywhere, kind: "read", capability: "observe", audited: false } as const;
const operate = { ...module, transports: everywhere, kind: "write", capability: "operate", audited: true } as const;
// definitions and keys stay on this machine
const manage = { ...module, transports: localOnly, kind: "write", capability: "manage", audited: true } as const;
const answer = { kind: "json", status: 200, schema: Trigger } as const;
const secretAnswer = { kind: "json", status: 200, schema: TriggerSecret } as const;
const onOne = { method: "post", params: IdParams, errors: ["not_found"] } as const;

export const triggerOperations = [
  defineOperation({
    ...read,
    id: "triggers.list",
    method: "get",
    path: "/triggers",
    summary: "List triggers, newest first; all of them unless `limit` is given",
    query: z.strictObject({
      ...pageQuery,
      target_task_id: referenceTo("task").optional(),
      enabled: QueryBoolean.optional(),
      q: namePart("triggers"),
    }),
    response: { kind: "json", status: 200, schema: listOf("triggers", Trigger).meta({ id: "TriggerList" }) },
    errors: [],
  }),
  defineOperation({
    ...manage,
    id: "triggers.create",
    method: "post",
    path: "/triggers",
    summary: "Create a trigger and return its key",
    description:
      "A call repeated with the same `Idempotency-Key` returns the trigger's key again, and the audit trail records it as a reveal. Once that key has been rotated, the repeated call is rejected with 409.",
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
    summary: "Fire a trigger: run its task, using the trigger's key",
    description:
      "The response is sent after the run is stored durably. If the task cannot start, no run is created and the error code is the reason. A call repeated with the same `Idempotency-Key` returns the first run. Once the trigger's key has been rotated, the repeated call is rejected with 409.",
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
    summary: "Get a trigger",
    params: IdParams,
    response: answer,
    errors: ["not_found"],
  }),
  defineOperation({
    ...manage,
    id: "triggers.update",
    method: "patch",
    path: "/triggers/{id}",
    summary: "Rename a trigger, or change its task",
    description:
      "All members of a trigger set run the same task: a call that changes the task of one member is rejected with 409. Change the task of the set instead.",
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
    summary: "Delete a trigger; its key stops working",
    description:
      "The last member of a trigger set cannot be deleted: the call is rejected with 409. Delete the set instead.",
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
    summary: "Enable a trigger",
    response: answer,
    conditional: true,
  }),
  defineOperation({
    ...operate,
    ...onOne,
    id: "triggers.disable",
    path: "/triggers/{id}/disable",
    summary: "Disable a trigger: it cannot be fired; its active and queued runs continue",
    response: answer,
    conditional: true,
  }),
  defineOperation({
    ...manage,
    ...onOne,
    id: "triggers.rotate",
    path: "/triggers/{id}/rotate",
    summary: "Replace a trigger's key and return the new one",
    description: "The former key stops working immediately.",
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
