import { isSecret } from "@belfry/contract";
import { z } from "zod";

/** Paths of the members that are marked secret, in the input of an operation. */
export function secretPaths(schema: z.ZodType, path = ""): readonly string[] {
  if (isSecret(schema)) return [path];
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    return secretPaths(schema.unwrap() as z.ZodType, path);
  }
  if (schema instanceof z.ZodArray) return secretPaths(schema.element as z.ZodType, `${path}[]`);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => secretPaths(option as z.ZodType, path));
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape).flatMap(([name, member]) => secretPaths(member as z.ZodType, `${path}.${name}`));
}
