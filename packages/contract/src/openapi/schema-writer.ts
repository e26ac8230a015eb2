import type { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";

export type JsonSchema = z.core.JSONSchema.BaseSchema;

type SchemaObject = NonNullable<
  NonNullable<ReturnType<OpenAPIHono["getOpenAPI31Document"]>["components"]>["schemas"]
>[string];

/** Zod and the routing library each have a type of their own for what JSON Schema 2020-12 allows. */
export function asSchemaObject(schema: JsonSchema): SchemaObject {
  return schema as SchemaObject;
}

/** Turns zod schemas into the document's, gathering every named one it meets on the way. */
export interface SchemaWriter {
  readonly write: (schema: z.ZodType) => JsonSchema;
  /** Name to schema, in the order of the names. */
  readonly named: () => ReadonlyMap<string, JsonSchema>;
}

const zodHome = "#/$defs/";
const home = "#/components/schemas/";

/**
 * Every schema of the document is written by zod itself. The routing library's writer leaves a pattern's flags in the
 * pattern, drops what a record's keys must be, loses the name of a union that may be null, and may lose the null:
 * what it wrote would be another contract than the one that is checked.
 */
export function createSchemaWriter(): SchemaWriter {
  const written = new Map<z.ZodType, JsonSchema>();
  const gathered = new Map<string, JsonSchema>();
  return { write, named };

  function write(schema: z.ZodType): JsonSchema {
    const known = written.get(schema);
    if (known !== undefined) return known;
    // What is sent and what is answered are separate schemas, so one view serves both: the input's leaves a
    // plain object open, as answers are, and lets members with a default be absent.
    const { $schema, $defs, ...json } = relocate(z.toJSONSchema(schema, { io: "input", override: complete }));
    for (const [name, definition] of Object.entries($defs ?? {})) gather(name, definition);
    written.set(schema, json);
    return json;
  }

  function gather(name: string, definition: JsonSchema): void {
    const known = gathered.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(definition)) {
      throw new Error(`two schemas are named ${name}`);
    }
    gathered.set(name, definition);
  }

  function named(): ReadonlyMap<string, JsonSchema> {
    return new Map([...gathered].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/** References as OpenAPI has them; and what a reference says already is not said again beside it. */
function relocate(json: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(json), (_, value: unknown) => {
    if (typeof value === "string") return value.startsWith(zodHome) ? home + value.slice(zodHome.length) : value;
    return isReference(value) ? withoutRepeats(value, json.$defs?.[value.$ref.slice(home.length)]) : value;
  }) as JsonSchema;
}

function isReference(value: unknown): value is JsonSchema & { readonly $ref: string } {
  return typeof value === "object" && value !== null && "$ref" in value;
}

function withoutRepeats(reference: JsonSchema, definition: JsonSchema = {}): JsonSchema {
  const own = Object.entries(reference).filter(
    ([keyword, value]) => JSON.stringify(value) !== JSON.stringify(definition[keyword]),
  );
  return Object.fromEntries(own);
}

type Written = { readonly zodSchema: z.core.$ZodTypes; readonly jsonSchema: JsonSchema };

function complete(written: Written): void {
  nameDiscriminator(written);
  keepDefault(written);
}

/** JSON Schema needs no discriminator; generators of clients do. */
function nameDiscriminator({ zodSchema, jsonSchema }: Written): void {
  if (!(zodSchema instanceof z.ZodDiscriminatedUnion) || jsonSchema.oneOf === undefined) return;
  const propertyName = zodSchema.def.discriminator;
  const mapping = zodSchema.options.map((option, index) => [
    valueOf(option, propertyName),
    jsonSchema.oneOf?.[index]?.$ref,
  ]);
  jsonSchema["discriminator"] = { propertyName, mapping: Object.fromEntries(mapping) as Record<string, string> };
}

/** Zod leaves a default out where a step stands before its schema, for the step might change it: ours only count. */
function keepDefault({ zodSchema, jsonSchema }: Written): void {
  if (zodSchema instanceof z.ZodDefault) jsonSchema.default ??= zodSchema.def.defaultValue;
}

function valueOf(option: z.core.SomeType, propertyName: string): unknown {
  const member: unknown = option instanceof z.ZodObject ? option.shape[propertyName] : undefined;
  return member instanceof z.ZodLiteral ? member.value : undefined;
}
