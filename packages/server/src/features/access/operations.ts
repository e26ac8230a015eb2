import type { actorOperations, credentialOperations, enrollmentOperations, pairingOperations } from "@belfry/contract";
import { formatInstantOrNull } from "../../kernel/time/time.ts";
import { nameKey } from "../../kernel/names.ts";
import type { OperationsOf } from "../../kernel/operation.ts";
import { readList } from "../../kernel/storage/page.ts";
import type { Actors } from "./actors.ts";
import type { Credentials } from "./credentials.ts";
import type { EnrollmentService } from "./enrollment.ts";
import type { AccessFact } from "./facts.ts";
import type { Pairings } from "./pairings.ts";

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

export function servePairings(pairings: Pairings): OperationsOf<typeof pairingOperations, AccessFact> {
  return {
    "pairings.create": { handle: (unit, { body }) => pairings.create(unit, body) },
    "pairings.list": {
      handle: ({ query, now }) => {
        const { rows, next_cursor } = readList({
          operation: "pairings.list",
          query,
          whole: true,
          find: (page) => pairings.list({ state: query.state, now }, page),
          startOf: (row) => ({ at: row.createdAt, id: row.id }),
        });
        return { pairings: rows.map((row) => pairings.view(row, now)), next_cursor };
      },
    },
    "pairings.get": { handle: ({ params, now }) => pairings.view(pairings.get(params.id), now) },
    "pairings.delete": { handle: (_unit, { params }) => pairings.delete(params.id) },
  };
}

export function serveEnrollment(
  enrollment: EnrollmentService,
  actors: Pick<Actors, "get">,
): OperationsOf<typeof enrollmentOperations, AccessFact> {
  return {
    "access.current": {
      handle: ({ actor }) => ({
        actor_id: actor.id,
        actor_name: actor.name,
        credential_id: actor.credentialId,
        capability: actor.capability,
        expires_at: formatInstantOrNull(actors.get(actor.id).expiresAt),
      }),
    },
    "access.enroll": {
      // the try must be counted in a commit of its own, before the phrase is compared
      prepare: async ({ body }) => {
        await enrollment.check(body);
        return {
          commit: (unit) => enrollment.enroll(unit, body),
          actorOf: ({ actor_id, credential_id, capability }) => ({
            id: actor_id,
            name: actors.get(actor_id).name,
            capability,
            transport: "remote",
            credentialId: credential_id,
          }),
        };
      },
    },
  };
}
