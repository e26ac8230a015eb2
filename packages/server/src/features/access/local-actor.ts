import { newId } from "../../kernel/ids.ts";
import type { Actor } from "../../kernel/operation.ts";
import type { Write } from "../../kernel/storage/write.ts";
import type { AccessStore } from "./store.ts";

/** Everyone who can open the protected socket. Made once, with the installation; its id is in the audit trail for good. */
export function ensureLocalActor(write: Write<never>, store: AccessStore): Actor {
  const row =
    store.findBuiltIn() ??
    write((unit) => {
      const created = {
        id: newId("act"),
        name: "local",
        capability: "enroll",
        builtIn: true,
        createdAt: unit.now,
      } as const;
      store.insert(created);
      return created;
    });
  return { id: row.id, name: row.name, capability: row.capability, transport: "local" };
}
