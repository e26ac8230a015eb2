import { z } from "zod";

const written = z.registry<{ readonly members: readonly string[] }>();

/** Marks a body schema with the resource that it creates or changes. */
export function writes<S extends z.ZodType>(resource: z.ZodObject, body: S): S {
  written.add(body, { members: Object.keys(resource.shape) });
  return body;
}

/** Whether the resource that a body writes has this member. If only the resource has it, it is read-only. */
export function isMemberOfResource(body: z.core.$ZodType, name: string): boolean {
  return written.get(body)?.members.includes(name) === true;
}
