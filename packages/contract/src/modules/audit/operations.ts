import { z } from "zod";
import { listOf, pageQuery } from "../../core/list.ts";
import { defineOperation, everywhere } from "../../core/operation.ts";
import { referenceTo } from "../../core/references.ts";
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
  result: z.enum(auditResults).optional(),
  since: Timestamp.optional().meta({ description: "Only events at or after this time" }),
  until: Timestamp.optional().meta({ description: "Only events before this time" }),
  ...pageQuery,
});

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
] as const;
