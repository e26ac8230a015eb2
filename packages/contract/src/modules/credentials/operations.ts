import { z } from "zod";
import { listOf, pageQuery } from "../../core/list.ts";
import { defineOperation, localOnly } from "../../core/operation.ts";
import { IdParams } from "../../core/references.ts";
import { Credential } from "./schemas.ts";

/** The owner of the machine decides which programs may call the daemon, so credentials are managed only there. */
const module = { capability: "enroll", transports: localOnly } as const;

export const credentialOperations = [
  defineOperation({
    ...module,
    id: "credentials.list",
    method: "get",
    path: "/access/actors/{id}/credentials",
    summary: "List the credentials of an actor, newest first; all of them unless `limit` is given",
    description: "The access token of a credential is shown only once, when the credential is created.",
    // the path names the actor
    resource: "actor",
    kind: "read",
    audited: false,
    params: IdParams,
    query: z.strictObject({ ...pageQuery }),
    response: { kind: "json", status: 200, schema: listOf("credentials", Credential).meta({ id: "CredentialList" }) },
    errors: ["not_found"],
  }),
  defineOperation({
    ...module,
    id: "credentials.get",
    method: "get",
    path: "/access/credentials/{id}",
    summary: "Get a credential, without its token",
    resource: "credential",
    kind: "read",
    audited: false,
    params: IdParams,
    response: { kind: "json", status: 200, schema: Credential },
    errors: ["not_found"],
  }),
  defineOperation({
    ...module,
    id: "credentials.revoke",
    method: "post",
    path: "/access/credentials/{id}/revoke",
    summary: "Revoke a credential for good",
    description:
      "Cannot be undone. Closes the open streams of this credential. Other credentials of the actor stay valid. Revoking a revoked credential changes nothing.",
    resource: "credential",
    kind: "write",
    audited: true,
    params: IdParams,
    response: { kind: "json", status: 200, schema: Credential },
    errors: ["not_found"],
  }),
] as const;
