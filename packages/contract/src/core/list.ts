import { z } from "zod";
import { Cursor, Limit } from "./scalars.ts";

/** The wrapper of a list: `{ <plural>: [...], next_cursor }`. */
export function listOf<K extends string, S extends z.ZodType>(plural: K, item: S) {
  const shape = { [plural]: z.array(item) } as { [P in K]: z.ZodArray<S> };
  return z.object({
    ...shape,
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: "Hand back as `cursor` for the next page; null on the last" }),
  });
}

/** The query members every list has. */
export const pageQuery = { limit: Limit.optional(), cursor: Cursor.optional() };

export const nothingToChange = "must contain at least one member to change";

/** A merge of named members: none is required, one at least must be there. */
export function patchOf<S extends z.ZodRawShape>(shape: S) {
  return z
    .strictObject(shape)
    .refine((patch) => Object.keys(patch).length > 0, nothingToChange)
    .meta({ minProperties: 1 });
}
