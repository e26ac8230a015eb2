import { newId } from "../../kernel/ids.ts";
import { invariant } from "../../kernel/errors/invariant.ts";
import type { Actor } from "../../kernel/operation.ts";
import type { Write } from "../../kernel/storage/write.ts";
import type { AccessStore } from "./store.ts";

/** Returns the id of the local actor, to which the audit trail refers. The first start creates the actor. */
export function ensureLocalActor(write: Write<never>, store: AccessStore): string {
  const present = store.findBuiltIn();
  if (present !== undefined) return present.id;
  const id = newId("act");
  write((unit) => store.insert({ id, name: "local", capability: "enroll", builtIn: true, createdAt: unit.now }));
  return id;
}

export function readLocalActor(store: AccessStore, id: string): Actor {
  const row = store.find(id);
  invariant(row !== undefined, "the local actor is never deleted");
  return { id, name: row.name, capability: row.capability, transport: "local", credentialId: null };
}
