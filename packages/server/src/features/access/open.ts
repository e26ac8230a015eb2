import type { Actor } from "../../kernel/operation.ts";
import type { Db } from "../../kernel/storage/database.ts";
import type { Write } from "../../kernel/storage/write.ts";
import { ensureLocalActor, readLocalActor } from "./local-actor.ts";
import { createAccessStore } from "./store.ts";

export interface AccessParts {
  readonly db: Db;
  readonly write: Write<never>;
}

export function openAccess({ db, write }: AccessParts) {
  const store = createAccessStore(db);
  const localId = ensureLocalActor(write, store);
  return {
    operations: {},
    /**
     * Returns the actor of every caller on the protected socket. Reads it for each call, because its capability may
     * change.
     */
    localActor: (): Actor => readLocalActor(store, localId),
  };
}
