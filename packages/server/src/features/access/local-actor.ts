import { newId } from "../../kernel/ids.ts";
import { invariant } from "../../kernel/errors/invariant.ts";
import type { Actor } from "../../kernel/operation.ts";
import type { Write } from "../../kernel/storage/write.ts";
import type { AccessStore } from "./store.ts";

/** The first start writes it: its id stays in the audit trail for good. */
export function ensureLocalActor(write: Write<never>, store: AccessStore): void {
  if (store.findBuiltIn() !== undefined) return;
  write((unit) =>
    store.insert({ id: newId("act"), name: "local", capability: "enroll", builtIn: true, createdAt: unit.now }),
  );
}

export function readLocalActor(store: AccessStore): Actor {
  const row = store.findBuiltIn();
  invariant(row !== undefined, "the first start writes the local actor");
  return { id: row.id, name: row.name, capability: row.capability, transport: "local" };
}
