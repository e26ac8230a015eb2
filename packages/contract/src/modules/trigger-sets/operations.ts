import { z } from "zod";
import { listOf, namePart, pageQuery } from "../../core/list.ts";
import { defineOperation, everywhere, localOnly } from "../../core/operation.ts";
import { IdParams, referenceTo } from "../../core/references.ts";
import { TriggerSet, TriggerSetCreate, TriggerSetPatch, TriggerSetSecrets } from "./schemas.ts";

const module = { resource: "trigger_set" } as const;
const read = { ...module, transports: everywhere, kind: "read", capability: "observe", audited: false } as const;
const operate = { ...module, transports: everywhere, kind: "write", capability: "operate", audited: true } as const;
// definitions and keys stay on this machine
const manage = { ...module, transports: localOnly, kind: "write", capability: "manage", audited: true } as const;
const answer = { kind: "json", status: 200, schema: TriggerSet } as const;
const secretAnswer = { kind: "json", status: 200, schema: TriggerSetSecrets } as const;
const onOne = { method: "post", params: IdParams, errors: ["not_found"] } as const;

export const triggerSetOperations = [
  defineOperation({
    ...read,
    id: "trigger_sets.list",
    method: "get",
    path: "/trigger-sets",
    summary: "List trigger sets and their members, newest first; all of them unless `limit` is given",
    query: z.strictObject({
      ...pageQuery,
      target_task_id: referenceTo("task").optional(),
      q: namePart("trigger sets"),
    }),
    response: { kind: "json", status: 200, schema: listOf("trigger_sets", TriggerSet).meta({ id: "TriggerSetList" }) },
    errors: [],
  }),
  defineOperation({
    ...manage,
    id: "trigger_sets.create",
    method: "post",
    path: "/trigger-sets",
    summary: "Create a set of 1 to 99 triggers and return their keys",
    description:
      "The call creates all triggers, or none. A call repeated with the same `Idempotency-Key` returns the triggers' keys again, and the audit trail records it as a reveal. Once one of these keys has been rotated, the repeated call is rejected with 409.",
    body: TriggerSetCreate,
    response: { kind: "json", status: 201, schema: TriggerSetSecrets },
    errors: ["not_found"],
    replayedBy: "trigger_sets.reveal",
    makes: "trigger_set.id",
    example: { name: "Build agents", target_task_id: "tsk_4fzH1TqWb8YkV0c2LxNd", count: 12 },
  }),
  defineOperation({
    ...read,
    id: "trigger_sets.get",
    method: "get",
    path: "/trigger-sets/{id}",
    summary: "Get a trigger set and its members",
    params: IdParams,
    response: answer,
    errors: ["not_found"],
  }),
  defineOperation({
    ...manage,
    id: "trigger_sets.update",
    method: "patch",
    path: "/trigger-sets/{id}",
    summary: "Rename a trigger set, or change the task of all members",
    params: IdParams,
    body: TriggerSetPatch,
    response: answer,
    errors: ["not_found"],
    conditional: true,
    example: { target_task_id: "tsk_4fzH1TqWb8YkV0c2LxNd" },
  }),
  defineOperation({
    ...manage,
    id: "trigger_sets.delete",
    method: "delete",
    path: "/trigger-sets/{id}",
    summary: "Delete a trigger set and all its members",
    params: IdParams,
    response: { kind: "empty", status: 204 },
    errors: ["not_found"],
    conditional: true,
  }),
  defineOperation({
    ...operate,
    ...onOne,
    id: "trigger_sets.enable",
    path: "/trigger-sets/{id}/enable",
    summary: "Enable all members of a trigger set",
    response: answer,
    conditional: true,
  }),
  defineOperation({
    ...operate,
    ...onOne,
    id: "trigger_sets.disable",
    path: "/trigger-sets/{id}/disable",
    summary: "Disable all members of a trigger set",
    response: answer,
    conditional: true,
  }),
  defineOperation({
    ...manage,
    ...onOne,
    id: "trigger_sets.rotate",
    path: "/trigger-sets/{id}/rotate",
    summary: "Replace the keys of all members and return the new ones",
    description: "The former keys stop working immediately.",
    response: secretAnswer,
    conditional: true,
  }),
  defineOperation({
    ...manage,
    ...onOne,
    id: "trigger_sets.reveal",
    kind: "read",
    path: "/trigger-sets/{id}/reveal",
    summary: "Reveal the keys of all members",
    response: secretAnswer,
  }),
] as const;
