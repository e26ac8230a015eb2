import { z } from "zod";
import { listOf, pageQuery } from "../../core/list.ts";
import { defineOperation } from "../../core/operation.ts";
import { IdParams, referenceTo } from "../../core/references.ts";
import { TriggerSet, TriggerSetCreate, TriggerSetPatch, TriggerSetSecrets } from "./schemas.ts";

const module = { resource: "trigger_set" } as const;
const read = { ...module, remote: true, kind: "read", capability: "observe", audited: false } as const;
const operate = { ...module, remote: true, kind: "write", capability: "operate", audited: true } as const;
// definitions and keys stay on this machine
const manage = { ...module, remote: false, kind: "write", capability: "manage", audited: true } as const;
const answer = { kind: "json", status: 200, schema: TriggerSet } as const;
const secretAnswer = { kind: "json", status: 200, schema: TriggerSetSecrets } as const;
const onOne = { method: "post", params: IdParams, errors: ["not_found"] } as const;

export const triggerSetOperations = [
  defineOperation({
    ...read,
    id: "trigger_sets.list",
    method: "get",
    path: "/trigger-sets",
    summary: "All Trigger Sets with their members, newest first; complete unless `limit` is given",
    query: z.strictObject({
      ...pageQuery,
      target_task_id: referenceTo("task").optional(),
      q: z.string().min(1).max(200).optional().meta({ description: "A part of the name" }),
    }),
    response: { kind: "json", status: 200, schema: listOf("trigger_sets", TriggerSet).meta({ id: "TriggerSetList" }) },
    errors: [],
  }),
  defineOperation({
    ...manage,
    id: "trigger_sets.create",
    method: "post",
    path: "/trigger-sets",
    summary: "Create 1 to 99 triggers at once; the answer has their keys",
    description:
      "All or none are made. A repeated call with its `Idempotency-Key` reveals the keys again, and is audited as that; once one of them was rotated it is refused with 409.",
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
    summary: "One Trigger Set with its members",
    params: IdParams,
    response: answer,
    errors: ["not_found"],
  }),
  defineOperation({
    ...manage,
    id: "trigger_sets.update",
    method: "patch",
    path: "/trigger-sets/{id}",
    summary: "Give every member another task at once, or rename the set",
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
    summary: "Delete a Trigger Set and all its members at once",
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
    summary: "Let every member be fired again, at once",
    response: answer,
    conditional: true,
  }),
  defineOperation({
    ...operate,
    ...onOne,
    id: "trigger_sets.disable",
    path: "/trigger-sets/{id}/disable",
    summary: "Refuse every member's fires, at once",
    response: answer,
    conditional: true,
  }),
  defineOperation({
    ...manage,
    ...onOne,
    id: "trigger_sets.rotate",
    path: "/trigger-sets/{id}/rotate",
    summary: "Replace every member's key at once, and answer the new ones",
    description: "Every former key is worthless from the same instant on.",
    response: secretAnswer,
    conditional: true,
  }),
  defineOperation({
    ...manage,
    ...onOne,
    id: "trigger_sets.reveal",
    kind: "read",
    path: "/trigger-sets/{id}/reveal",
    summary: "Reveal every member's key",
    response: secretAnswer,
  }),
] as const;
