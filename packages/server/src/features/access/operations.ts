import type { actorOperations, credentialOperations } from "@belfry/contract";
import { nameKey } from "../../kernel/names.ts";
import type { OperationsOf } from "../../kernel/operation.ts";
import { readList } from "../../kernel/storage/page.ts";
import type { Actors } from "./actors.ts";
import type { Credentials } from "./credentials.ts";
import type { AccessFact } from "./facts.ts";

export function serveActors(actors: Actors): OperationsOf<typeof actorOperations, AccessFact> {
  return {
    "actors.list": {
      handle: ({ query, now }) => {
        const namePart = query.q === undefined ? undefined : nameKey(query.q);
        const { rows, next_cursor } = readList({
          operation: "actors.list",
          query,
          whole: true,
          find: (page) => actors.list({ state: query.state, namePart, now }, page),
          startOf: (row) => ({ at: row.createdAt, id: row.id }),
        });
        return { actors: rows.map((row) => actors.view(row, now)), next_cursor };
      },
    },
    "actors.create": { handle: (unit, { body }) => actors.view(actors.create(unit, body), unit.now) },
    "actors.get": { handle: ({ params, now }) => actors.view(actors.get(params.id), now) },
    "actors.update": {
      handle: (unit, { params, body }) => actors.view(actors.update(unit, params.id, body), unit.now),
    },
    "actors.revoke": { handle: (unit, { params }) => actors.view(actors.revoke(unit, params.id), unit.now) },
  };
}

export function serveCredentials(credentials: Credentials): OperationsOf<typeof credentialOperations, AccessFact> {
  return {
    "credentials.list": {
      handle: ({ params, query, now }) => {
        const { rows, next_cursor } = readList({
          // a cursor belongs to the list of one actor
          operation: `credentials.list ${params.id}`,
          query,
          whole: true,
          find: (page) => credentials.listOf(params.id, page),
          startOf: (row) => ({ at: row.createdAt, id: row.id }),
        });
        return { credentials: rows.map((row) => credentials.view(row, now)), next_cursor };
      },
    },
    "credentials.get": { handle: ({ params, now }) => credentials.view(credentials.get(params.id), now) },
    "credentials.revoke": {
      handle: (unit, { params }) => credentials.view(credentials.revoke(unit, params.id), unit.now),
    },
  };
}
