import type { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "zod";

export type JsonSchema = z.core.JSONSchema.BaseSchema;

type SchemaObject = NonNullable<
  NonNullable<ReturnType<OpenAPIHono["getOpenAPI31Document"]>["components"]>["schemas"]
>[string];

/** Converts a schema: Zod and the routing library have different types for JSON Schema 2020-12. */
export function asSchemaObject(schema: JsonSchema): SchemaObject {
  return schema as SchemaObject;
}

/** Turns zod schemas into JSON Schema, and collects the named ones. */
export interface SchemaWriter {
  readonly write: (schema: z.ZodType) => JsonSchema;
  /** The named schemas, sorted by name. */
  readonly named: () => ReadonlyMap<string, JsonSchema>;
}

/** Lists the members of a schema that a document does not describe. */
export type Hiding = (schema: z.ZodType) => readonly string[];

const zodPrefix = "#/$defs/";
const prefix = "#/components/schemas/";

/**
 * Zod itself writes every schema of the document. The routing library's writer leaves flags in patterns, drops the schema
 * of a record's keys, and loses the name, and sometimes the null, of a nullable union: its document would differ from the
 * contract that is checked.
 */
export function createSchemaWriter(hiding: Hiding | null = null): SchemaWriter {
  const written = new Map<z.ZodType, JsonSchema>();
  const gathered = new Map<string, JsonSchema>();
  return { write, named };

  function write(schema: z.ZodType): JsonSchema {
    const known = written.get(schema);
    if (known !== undefined) return known;
    // requests and answers have separate schemas, so the input view fits both: it leaves a plain object open, as answers
    // are, and lets members with a default be absent
    const { $schema, $defs, ...json } = relocate(
      z.toJSONSchema(schema, { io: "input", override: (each) => complete(each, hiding) }),
    );
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

/** Rewrites references for OpenAPI, and removes keywords that the referenced schema already has. */
function relocate(json: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(json), (_, value: unknown) => {
    if (typeof value === "string") return value.startsWith(zodPrefix) ? prefix + value.slice(zodPrefix.length) : value;
    return isReference(value) ? withoutRepeats(value, json.$defs?.[value.$ref.slice(prefix.length)]) : value;
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

function complete(written: Written, hiding: Hiding | null): void {
  if (hiding !== null) hide(written, hiding);
  nameDiscriminator(written);
  keepDefault(written);
}

/** Removes members that a document does not describe. */
function hide({ zodSchema, jsonSchema }: Written, hiding: Hiding): void {
  // safe because zod passes the schemas that it was given
  const hidden = hiding(zodSchema as unknown as z.ZodType);
  if (hidden.length === 0) return;
  for (const name of hidden) delete jsonSchema.properties?.[name];
  if (jsonSchema.required !== undefined)
    jsonSchema.required = jsonSchema.required.filter((name) => !hidden.includes(name));
}

/** Adds a discriminator: JSON Schema needs none, but client generators do. */
function nameDiscriminator({ zodSchema, jsonSchema }: Written): void {
  if (!(zodSchema instanceof z.ZodDiscriminatedUnion) || jsonSchema.oneOf === undefined) return;
  const propertyName = zodSchema.def.discriminator;
  const mapping = zodSchema.options.map((option, index) => [
    valueOf(option, propertyName),
    jsonSchema.oneOf?.[index]?.$ref,
  ]);
  jsonSchema["discriminator"] = { propertyName, mapping: Object.fromEntries(mapping) as Record<string, string> };
}

/**
 * Adds the default of a schema with a transform before it. Zod omits it because the transform might change it, but ours
 * only count entries.
 */
function keepDefault({ zodSchema, jsonSchema }: Written): void {
  if (zodSchema instanceof z.ZodDefault) jsonSchema.default ??= zodSchema.def.defaultValue;
}

function valueOf(option: z.core.SomeType, propertyName: string): unknown {
  const member: unknown = option instanceof z.ZodObject ? option.shape[propertyName] : undefined;
  return member instanceof z.ZodLiteral ? member.value : undefined;
}
