import { z } from "zod";
import { limits } from "../../core/limits.ts";
import { defineOperation } from "../../core/operation.ts";
import { orNull, Timestamp } from "../../core/scalars.ts";

/** What a header and a path bring as the same key: a path drops `.` and `..`, and beyond ASCII each is read in its own way. */
export const idempotencyKeyForm = /^(?!\.\.?$)[!-~](?:[ -~]*[!-~])?$/;

export const IdempotencyKey = z
  .string()
  .min(1)
  .max(limits.idempotencyKeyCharactersMax)
  .regex(idempotencyKeyForm, "must not be . or .., and must be printable ASCII without spaces at its ends");

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
    summary: "Whether the caller used an idempotency key, and for what",
    description: "After a lost answer this tells whether the call took effect. Keys are remembered for 24 hours.",
    kind: "read",
    capability: "observe",
    remote: true,
    audited: false,
    resource: "idempotency_key",
    params: z.object({ key: IdempotencyKey }),
    response: { kind: "json", status: 200, schema: IdempotencyUse },
    errors: [],
  }),
] as const;
