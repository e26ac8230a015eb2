import { z } from "zod";
import { defineOperation, everywhere } from "../../core/operation.ts";

export const Health = z.object({ status: z.literal("ok") }).meta({ id: "Health" });
export type Health = z.output<typeof Health>;

export const healthOperations = [
  defineOperation({
    id: "health.get",
    method: "get",
    path: "/health",
    summary: "Check that the daemon responds",
    kind: "read",
    capability: "observe",
    transports: everywhere,
    isPublic: true,
    audited: false,
    resource: "daemon",
    response: { kind: "json", status: 200, schema: Health },
    errors: [],
  }),
] as const;
