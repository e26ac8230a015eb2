import { z } from "zod";
import type { JsonSchema, SchemaWriter } from "./schema-writer.ts";

/**
 * OpenAPI 3.1 has no word for the items of a stream: the schema under `text/event-stream` describes one event,
 * as readers of it (Schemathesis among them) take it. `data` is JSON in a string, so its schema stands beside it.
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

/** What a stream may carry, a union's members each for itself. */
export function variantsOf(events: z.core.SomeType): z.ZodType[] {
  if (events instanceof z.ZodUnion) return events.options.flatMap(variantsOf);
  return [events as z.ZodType];
}

/** The `event:` line of a variant, which its schema names in `x-event`. */
export function eventNameOf(variant: z.ZodType): string {
  return String(variant.meta()?.["x-event"]);
}
