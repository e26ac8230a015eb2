import { z } from "zod";
import { listOf, namePart, pageQuery } from "../../core/list.ts";
import { defineOperation, everywhere } from "../../core/operation.ts";
import { IdParams } from "../../core/references.ts";
import { Actor, ActorCreate, ActorPatch, actorStates } from "./schemas.ts";

const module = { resource: "actor", capability: "enroll", transports: everywhere } as const;
const read = { ...module, kind: "read", audited: false } as const;
const write = { ...module, kind: "write", audited: true } as const;
const answer = { kind: "json", status: 200, schema: Actor } as const;

export const actorOperations = [
  defineOperation({
    ...read,
    id: "actors.list",
    method: "get",
    path: "/access/actors",
    summary: "List actors, newest first; all of them unless `limit` is given",
    query: z.strictObject({
      ...pageQuery,
      state: z.enum(actorStates).optional().meta({ description: "Only actors in this state" }),
      q: namePart("actors"),
    }),
    response: { kind: "json", status: 200, schema: listOf("actors", Actor).meta({ id: "ActorList" }) },
    errors: [],
  }),
  defineOperation({
    ...write,
    id: "actors.create",
    method: "post",
    path: "/access/actors",
    summary: "Create an actor",
    description:
      "A new actor is active, and has no credential yet: until it gets one, nobody can call the daemon as this actor.",
    body: ActorCreate,
    response: { kind: "json", status: 201, schema: Actor },
    errors: [],
    replayedBy: "actors.get",
    example: { name: "Status board", capability: "observe", expires_at: "2027-01-01T00:00:00Z" },
  }),
  defineOperation({
    ...read,
    id: "actors.get",
    method: "get",
    path: "/access/actors/{id}",
    summary: "Get an actor",
    params: IdParams,
    response: answer,
    errors: ["not_found"],
  }),
  defineOperation({
    ...write,
    id: "actors.update",
    method: "patch",
    path: "/access/actors/{id}",
    summary: "Change an actor",
    description:
      "Takes effect immediately, also for requests that are being received. Disabling an actor or lowering its capability closes its open streams. The built-in actor and a revoked one cannot be changed: 409.",
    params: IdParams,
    body: ActorPatch,
    response: answer,
    errors: ["not_found", "conflict"],
    conditional: true,
    example: { capability: "operate", expires_at: null },
  }),
  defineOperation({
    ...write,
    id: "actors.revoke",
    method: "post",
    path: "/access/actors/{id}/revoke",
    summary: "Revoke an actor for good",
    description:
      "Cannot be undone. Also revokes the actor's credentials and closes its open streams. Its name can then be given to another actor. The built-in actor cannot be revoked: 409. Revoking a revoked actor changes nothing.",
    params: IdParams,
    response: answer,
    errors: ["not_found", "conflict"],
    conditional: true,
  }),
] as const;
