import { z } from "zod";
import { listOf, pageQuery } from "../../core/list.ts";
import { defineOperation, localOnly } from "../../core/operation.ts";
import { IdParams } from "../../core/references.ts";
import { Pairing, PairingCreate, PairingSecret, pairingStates } from "./schemas.ts";

const module = { resource: "pairing", capability: "enroll", transports: localOnly } as const;

export const pairingOperations = [
  defineOperation({
    ...module,
    id: "pairings.create",
    method: "post",
    path: "/access/pairings",
    summary: "Create a pairing and return its phrase",
    description:
      "A client sends the phrase to `POST /api/v1/enroll` and gets its credential. The phrase is shown only here, works once, and stops working after five wrong tries. A new actor is created when the pairing is used; its name is reserved until then. While the remote API is off, the call is rejected with 409. `Idempotency-Key` is rejected, because a phrase is never shown twice.",
    kind: "write",
    audited: true,
    body: PairingCreate,
    response: { kind: "json", status: 201, schema: PairingSecret },
    makes: "pairing_id",
    errors: ["not_found", "conflict"],
    example: { name: "Laptop of Ada", capability: "operate" },
  }),
  defineOperation({
    ...module,
    id: "pairings.list",
    method: "get",
    path: "/access/pairings",
    summary: "List pairings, newest first",
    kind: "read",
    audited: false,
    query: z.strictObject({
      ...pageQuery,
      state: z.enum(pairingStates).optional().meta({ description: "Only pairings in this state" }),
    }),
    response: { kind: "json", status: 200, schema: listOf("pairings", Pairing).meta({ id: "PairingList" }) },
    errors: [],
  }),
  defineOperation({
    ...module,
    id: "pairings.get",
    method: "get",
    path: "/access/pairings/{id}",
    summary: "Get a pairing, without its phrase",
    kind: "read",
    audited: false,
    params: IdParams,
    response: { kind: "json", status: 200, schema: Pairing },
    errors: ["not_found"],
  }),
  defineOperation({
    ...module,
    id: "pairings.delete",
    method: "delete",
    path: "/access/pairings/{id}",
    summary: "Delete a pairing; its phrase stops working",
    description: "A credential that was made with the pairing stays valid.",
    kind: "write",
    audited: true,
    params: IdParams,
    response: { kind: "empty", status: 204 },
    errors: ["not_found"],
  }),
] as const;
