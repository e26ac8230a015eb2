import { z } from "zod";
import { membersHiddenFrom } from "../core/audience.ts";
import type { Operation } from "../core/operation.ts";
import type { Hiding } from "./schema-writer.ts";

/** Hides the members of answers that no remote caller sees, and the members of bodies that none may send. */
export function remoteHiding(operations: readonly Operation[]): Hiding {
  const bodies = new Map(operations.map(({ body, localMembers = [] }) => [body, localMembers]));
  return (schema) => {
    if (!(schema instanceof z.ZodObject)) return [];
    return bodies.get(schema) ?? membersHiddenFrom({ capability: "enroll", transport: "remote" }, schema);
  };
}
