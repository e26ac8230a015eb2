import { z } from "zod";

/** Marks a schema whose values are write-only: they are stored encrypted, and only an operation that reveals them returns them. */
export function secret<S extends z.ZodType>(schema: S): S {
  secrets.add(schema);
  return schema.meta({ ...schema.meta(), writeOnly: true });
}

/** Whether a schema was marked by `secret`. */
export function isSecret(schema: z.ZodType): boolean {
  return secrets.has(schema) || schema.meta()?.["writeOnly"] === true;
}

const secrets = new WeakSet<z.ZodType>();
