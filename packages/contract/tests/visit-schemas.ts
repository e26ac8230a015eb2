import { z } from "zod";
import type { Operation } from "@belfry/contract";

/** Every zod schema within these, each once, in the order in which they are met. */
export function visitSchemas(roots: readonly z.ZodType[]): readonly z.core.$ZodTypes[] {
  const met = new Set<z.core.$ZodTypes>();
  for (const root of roots) z.toJSONSchema(root, { io: "input", override: ({ zodSchema }) => void met.add(zodSchema) });
  return [...met];
}

export function sentBy(operation: Operation): readonly z.ZodType[] {
  return [operation.params, operation.query, operation.body].filter((schema) => schema !== undefined);
}

export function answeredBy({ response }: Operation): readonly z.ZodType[] {
  switch (response.kind) {
    case "json":
      return response.preview === undefined ? [response.schema] : [response.schema, response.preview];
    case "empty":
      return [];
    case "events":
      return [response.schema];
    case "bytes":
      return [response.events];
  }
}

/** The name a schema has in the document, if it has one. */
export function nameOf(schema: z.core.$ZodTypes): string | undefined {
  return z.globalRegistry.get(schema)?.id;
}
