import { z } from "zod";
import { Cursor, Limit } from "./scalars.ts";

/** Makes the wrapper of a list: `{ <plural>: [...], next_cursor }`. */
export function listOf<K extends string, S extends z.ZodType>(plural: K, item: S) {
  const shape = { [plural]: z.array(item) } as { [P in K]: z.ZodArray<S> };
  return z.object({
    ...shape,
    next_cursor: z.string().nullable().meta({ description: "The `cursor` of the next page; null on the last page" }),
  });
}

/** The query members of every list. */
export const pageQuery = { limit: Limit.optional(), cursor: Cursor.optional() };

/** Makes the query member of a list that filters by a part of the name. */
export function namePart(resources: string) {
  const description = `Only ${resources} whose name contains this text`;
  return z.string().min(1).max(200).optional().meta({ description });
}

/** Makes the query member of a list that filters by a label of the task. */
export function labelOf(resources: string) {
  const description = `Only ${resources} with this label: \`key\` or \`key:value\``;
  return z.string().min(1).max(400).optional().meta({ description });
}

export const nothingToChange = "must contain at least one member to change";

/** Makes a patch: no member is required, but at least one must be given. */
export function patchOf<S extends z.ZodRawShape>(shape: S) {
  return z
    .strictObject(shape)
    .refine((patch) => Object.keys(patch).length > 0, nothingToChange)
    .meta({ minProperties: 1 });
}
