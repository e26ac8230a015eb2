import { z } from "zod";
import { listOf, pageQuery } from "../../core/list.ts";
import { defineOperation, everywhere } from "../../core/operation.ts";
import { limits } from "../../core/limits.ts";
import { exampleIds, referenceTo } from "../../core/references.ts";
import { orNull, ResourceId, Timestamp } from "../../core/scalars.ts";

export const auditResults = ["allowed", "denied", "failed"] as const;

export const AuditEvent = z
  .object({
    id: ResourceId,
    at: Timestamp,
    actor_id: ResourceId,
    actor_name: z.string(),
    transport: z.enum(["local", "remote"]),
    operation: z.string(),
    resource_type: z.string(),
    resource_id: z.string().nullable(),
    result: z.enum(auditResults),
    error_code: z.string().nullable(),
    request_id: z.string(),
    changed_fields: z
      .array(z.string())
      .meta({ description: "The names of the members that changed, without their values" }),
    previous_hash: orNull(z.string()).meta({
      description: "The `hash` of the event before this one; null for the first event ever recorded",
    }),
    hash: z.string().meta({
      description:
        "SHA-256, in hexadecimal, of `previous_hash` (nothing if it is null) followed by the RFC 8785 JSON of all other members",
    }),
  })
  .meta({ id: "AuditEvent" });
export type AuditEvent = z.output<typeof AuditEvent>;

export const AuditQuery = z.strictObject({
  actor_id: referenceTo("actor").optional(),
  operation: z.string().min(1).max(200).optional(),
  resource_id: z
    .string()
    .min(1)
    .max(limits.idCharactersMax)
    .optional()
    .meta({
      description: "Only events of this resource: its id, of any kind. An import has an id of its own",
      examples: [exampleIds.task],
    }),
  result: z.enum(auditResults).optional(),
  since: Timestamp.optional().meta({ description: "Only events at or after this time" }),
  until: Timestamp.optional().meta({ description: "Only events before this time" }),
  ...pageQuery,
});
export type AuditQuery = z.output<typeof AuditQuery>;

/** A row of the trail: its place in the chain, counted from 1, and its hash. */
const ChainMark = z
  .object({
    number: z.int().positive().meta({ description: "The event's place in the chain, counted from 1" }),
    hash: z.string(),
  })
  .meta({ id: "AuditChainMark" });

export const AuditChain = z
  .object({
    head: orNull(ChainMark).meta({
      description: "The newest event, as the daemon wrote it. Null if there is no event yet",
    }),
    anchor: orNull(ChainMark).meta({
      description:
        "The last event that the daemon pruned. The oldest event that is kept follows it. Null if none was pruned",
    }),
    authenticated_since: Timestamp.meta({
      description:
        "The daemon has authenticated the head and the anchor since this time. Earlier changes by other programs may be undetected",
    }),
    tampered_at: orNull(Timestamp).meta({
      description:
        "When the daemon first found that another program had changed the trail; its log has the details under `audit.tampered`. Never cleared. Null if it has found nothing",
    }),
  })
  .meta({ id: "AuditChain" });
export type AuditChain = z.output<typeof AuditChain>;

export const auditOperations = [
  defineOperation({
    id: "audit.list",
    method: "get",
    path: "/audit",
    summary: "List audit events, newest first",
    kind: "read",
    capability: "enroll",
    transports: everywhere,
    audited: false,
    resource: "audit_event",
    query: AuditQuery,
    response: { kind: "json", status: 200, schema: listOf("audit_events", AuditEvent).meta({ id: "AuditEventList" }) },
    errors: [],
  }),
  defineOperation({
    id: "audit.export",
    method: "get",
    path: "/audit/export",
    summary: "Export audit events, newest first, one per line",
    description:
      "Returns at most `limit` events, 100 by default. Pass `X-Next-Cursor` as `cursor` to continue; without this header, the export is complete.",
    kind: "read",
    capability: "enroll",
    transports: everywhere,
    audited: true,
    resource: "audit_event",
    query: AuditQuery,
    response: { kind: "ndjson", line: AuditEvent },
    errors: [],
  }),
  defineOperation({
    id: "audit.chain",
    method: "get",
    path: "/audit/chain",
    summary: "Show both ends of the audit trail's hash chain",
    description:
      "The daemon keeps both ends with a message authentication code, and each call of this operation checks them, and that no event between them is missing. So events that it pruned can be told from events that another program removed.",
    kind: "read",
    capability: "enroll",
    transports: everywhere,
    audited: false,
    resource: "audit_chain",
    response: { kind: "json", status: 200, schema: AuditChain },
    errors: [],
  }),
] as const;
