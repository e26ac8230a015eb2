import { z } from "zod";
import { limits } from "../../core/limits.ts";
import { defineOperation, everywhere } from "../../core/operation.ts";
import { orNull, Timestamp } from "../../core/scalars.ts";

/**
 * The form of keys that are the same text in a header and in a path: a path drops `.` and `..`, and encodes non-ASCII
 * characters differently.
 */
export const idempotencyKeyForm = /^(?!\.\.?$)[!-~](?:[ -~]*[!-~])?$/;

export const IdempotencyKey = z
  .string()
  .min(1)
  .max(limits.idempotencyKeyCharactersMax)
  .regex(idempotencyKeyForm, "must not be . or .., and must be printable ASCII without leading or trailing spaces");

export const IdempotencyUse = z
  .object({
    used: z.boolean(),
    operation: z.string().nullable(),
    resource_id: z.string().nullable(),
    at: orNull(Timestamp),
  })
  .meta({ id: "IdempotencyUse" });
export type IdempotencyUse = z.output<typeof IdempotencyUse>;

export const idempotencyOperations = [
  defineOperation({
    id: "idempotency.get",
    method: "get",
    path: "/idempotency/{key}",
    summary: "Check whether the caller has used an idempotency key, and for which operation",
    description:
      "If the response to a call was lost, this operation shows whether the call took effect. Keys are kept for 24 hours.",
    kind: "read",
    capability: "observe",
    transports: everywhere,
    audited: false,
    resource: "idempotency_key",
    params: z.object({ key: IdempotencyKey }),
    response: { kind: "json", status: 200, schema: IdempotencyUse },
    errors: [],
  }),
] as const;
