import { z } from "zod";

const written = z.registry<{ readonly members: readonly string[] }>();

/** Marks a body by the resource that it makes or changes. */
export function writes<S extends z.ZodType>(resource: z.ZodObject, body: S): S {
  written.add(body, { members: Object.keys(resource.shape) });
  return body;
}

/** Whether the resource that a body writes has this member. Where the body has none of it, no caller may set it. */
export function isMemberOfResource(body: z.core.$ZodType, name: string): boolean {
  return written.get(body)?.members.includes(name) === true;
}
