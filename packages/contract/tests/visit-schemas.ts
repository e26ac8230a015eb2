import { z } from "zod";
import type { Operation } from "@belfry/contract";

/** Lists every zod schema within these roots once, in the order of the traversal. */
export function visitSchemas(roots: readonly z.ZodType[]): readonly z.ZodType[] {
  const met = new Set<unknown>();
  for (const root of roots) z.toJSONSchema(root, { io: "input", override: ({ zodSchema }) => void met.add(zodSchema) });
  return [...met] as z.ZodType[];
}

/** Lists the schema and each schema below its default, optional and nullable wrappers. */
export function unwrap(schema: z.ZodType): readonly z.ZodType[] {
  const isWrapper =
    schema instanceof z.ZodDefault || schema instanceof z.ZodOptional || schema instanceof z.ZodNullable;
  return isWrapper ? [schema, ...unwrap(schema.unwrap() as z.ZodType)] : [schema];
}

export function sentBy(operation: Operation): readonly z.ZodType[] {
  return [operation.params, operation.query, operation.body].filter((schema) => schema !== undefined);
}

export function answeredBy({ response }: Operation): readonly z.ZodType[] {
  switch (response.kind) {
    case "json":
      return response.preview === undefined ? [response.schema] : [response.schema, response.preview];
    case "empty":
    case "file":
      return [];
    case "events":
      return [response.schema];
    case "bytes":
      return [response.events];
    case "ndjson":
      return [response.line];
  }
}

/** The name a schema has in the document, if it has one. */
export function nameOf(schema: z.ZodType): string | undefined {
  return z.globalRegistry.get(schema)?.id;
}
