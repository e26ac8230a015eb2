import type { JsonSchema } from "./schema-writer.ts";

/** Returns an example without the members that the document's schema of it does not have. */
export function shownExample(value: unknown, schema: JsonSchema, named: ReadonlyMap<string, JsonSchema>): unknown {
  const { properties, items } = schema.$ref === undefined ? schema : (named.get(nameIn(schema.$ref)) ?? {});
  if (Array.isArray(value)) {
    const item = typeof items === "object" && !Array.isArray(items) ? items : {};
    return value.map((each) => shownExample(each, item, named));
  }
  if (typeof value !== "object" || value === null || properties === undefined) return value;
  const shown = Object.entries(value).filter(([name]) => name in properties);
  return Object.fromEntries(
    shown.map(([name, each]) => [name, shownExample(each, subschema(properties[name]), named)]),
  );
}

function nameIn(reference: string): string {
  return reference.split("/").at(-1) ?? "";
}

function subschema(schema: JsonSchema | boolean | undefined): JsonSchema {
  return typeof schema === "object" ? schema : {};
}
