import { z } from "zod";
import type { JsonSchema, SchemaWriter } from "./schema-writer.ts";

/**
 * OpenAPI 3.1 cannot describe the items of a stream: the schema of `text/event-stream` describes one event, which is how
 * its readers (Schemathesis among them) interpret it. `data` is JSON in a string, described by `contentSchema`.
 */
export function eventSchemaOf(events: z.ZodType, { write }: SchemaWriter): JsonSchema {
  return {
    oneOf: variantsOf(events).map((variant) => ({
      type: "object",
      properties: {
        id: { type: "string" },
        event: { type: "string", const: eventNameOf(variant) },
        data: { type: "string", contentMediaType: "application/json", contentSchema: write(variant) },
      },
      required: ["event", "data"],
    })),
  };
}

/** Lists the schemas of the events of a stream, with unions expanded. */
export function variantsOf(events: z.core.SomeType): z.ZodType[] {
  if (events instanceof z.ZodUnion) return events.options.flatMap(variantsOf);
  return [events as z.ZodType];
}

/** Returns the `event:` line of a variant, from its schema's `x-event`. */
export function eventNameOf(variant: z.ZodType): string {
  return String(variant.meta()?.["x-event"]);
}
