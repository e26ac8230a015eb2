import { z } from "zod";
import { defineOperation, everywhere } from "../../core/operation.ts";

export const OpenapiDocument = z.looseObject({ openapi: z.string() }).meta({ id: "OpenapiDocument" });

export const openapiOperations = [
  defineOperation({
    id: "openapi.get",
    method: "get",
    path: "/openapi.json",
    summary: "Get the OpenAPI 3.1 document of this API",
    kind: "read",
    capability: "observe",
    transports: everywhere,
    audited: false,
    resource: "daemon",
    response: { kind: "json", status: 200, schema: OpenapiDocument },
    errors: [],
  }),
] as const;
