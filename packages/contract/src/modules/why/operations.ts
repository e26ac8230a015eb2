import { z } from "zod";
import { defineOperation, everywhere } from "../../core/operation.ts";
import { IdParams } from "../../core/references.ts";
import { Timestamp } from "../../core/scalars.ts";
import { Why } from "../runs/schemas.ts";

export const whyOperations = [
  defineOperation({
    resource: "schedule",
    transports: everywhere,
    kind: "read",
    capability: "observe",
    audited: false,
    id: "tasks.why",
    method: "get",
    path: "/tasks/{id}/why",
    summary: "Explain why a task ran or did not run at a given time",
    params: IdParams,
    query: z.strictObject({ at: Timestamp.optional().meta({ description: "Default: now" }) }),
    response: { kind: "json", status: 200, schema: Why },
    errors: ["not_found"],
  }),
] as const;
