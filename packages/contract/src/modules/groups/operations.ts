import { z } from "zod";
import { listOf, namePart, pageQuery } from "../../core/list.ts";
import { defineOperation, everywhere } from "../../core/operation.ts";
import { IdParams, referenceTo } from "../../core/references.ts";
import { QueryBoolean } from "../../core/scalars.ts";
import { Group, GroupCreate, GroupPatch } from "./schemas.ts";

const module = { resource: "group", transports: everywhere } as const;
const write = { ...module, kind: "write", audited: true } as const;
const answer = { kind: "json", status: 200, schema: Group } as const;

export const groupOperations = [
  defineOperation({
    ...module,
    id: "groups.list",
    method: "get",
    path: "/groups",
    summary: "List groups, newest first; all of them unless `limit` is given",
    kind: "read",
    capability: "observe",
    audited: false,
    query: z.strictObject({
      ...pageQuery,
      parent_id: referenceTo("group").optional(),
      enabled: QueryBoolean.optional(),
      q: namePart("groups"),
    }),
    response: { kind: "json", status: 200, schema: listOf("groups", Group).meta({ id: "GroupList" }) },
    errors: [],
  }),
  defineOperation({
    ...write,
    id: "groups.create",
    method: "post",
    path: "/groups",
    summary: "Create a group",
    capability: "manage",
    body: GroupCreate,
    localMembers: ["environment"],
    response: { kind: "json", status: 201, schema: Group },
    errors: ["not_found"],
    replayedBy: "groups.get",
    example: { name: "Backups", time_zone: "Europe/Berlin" },
  }),
  defineOperation({
    ...module,
    id: "groups.get",
    method: "get",
    path: "/groups/{id}",
    summary: "Get a group",
    kind: "read",
    capability: "observe",
    audited: false,
    params: IdParams,
    response: answer,
    errors: ["not_found"],
  }),
  defineOperation({
    ...write,
    id: "groups.update",
    method: "patch",
    path: "/groups/{id}",
    summary: "Change a group",
    capability: "manage",
    params: IdParams,
    body: GroupPatch,
    localMembers: ["environment"],
    response: answer,
    errors: ["not_found"],
    conditional: true,
    example: { max_concurrent_runs: 2 },
  }),
  defineOperation({
    ...write,
    id: "groups.delete",
    method: "delete",
    path: "/groups/{id}",
    summary: "Delete an empty group",
    capability: "manage",
    params: IdParams,
    response: { kind: "empty", status: 204 },
    errors: ["not_found", "conflict"],
    conditional: true,
  }),
  defineOperation({
    ...write,
    id: "groups.enable",
    method: "post",
    path: "/groups/{id}/enable",
    summary: "Enable a group",
    capability: "operate",
    params: IdParams,
    response: answer,
    errors: ["not_found"],
    conditional: true,
  }),
  defineOperation({
    ...write,
    id: "groups.disable",
    method: "post",
    path: "/groups/{id}/disable",
    summary: "Disable a group: no task in it or in its subgroups starts",
    capability: "operate",
    params: IdParams,
    response: answer,
    errors: ["not_found"],
    conditional: true,
  }),
] as const;
