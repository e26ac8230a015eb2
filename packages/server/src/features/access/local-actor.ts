import { newId } from "../../kernel/ids.ts";
import { nameKey } from "../../kernel/names.ts";
import type { Actor } from "../../kernel/operation.ts";
import type { Write } from "../../kernel/storage/write.ts";
import type { ActorStore } from "./store.ts";

const name = "local";

/**
 * Returns the actor of every caller on the protected socket, to which the audit trail refers. The first start creates
 * it. The gateway reads its row again for each call.
 */
export function ensureLocalActor(write: Write<never>, store: ActorStore): Actor {
  const present = store.findBuiltIn();
  const id = present?.id ?? newId("act");
  if (present === undefined)
    write((unit) =>
      store.insert({
        id,
        name,
        nameKey: nameKey(name),
        kind: "local",
        capability: "enroll",
        state: "active",
        builtIn: true,
        expiresAt: null,
        lastSeenAt: null,
        createdAt: unit.now,
        updatedAt: unit.now,
        revision: 1,
      }),
    );
  return { id, name, capability: "enroll", transport: "local", credentialId: null };
}
