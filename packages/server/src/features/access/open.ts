import type { EventKind, Hint } from "@belfry/contract";
import type { Log } from "../../kernel/log/log.ts";
import type { Actor } from "../../kernel/operation.ts";
import type { Db } from "../../kernel/storage/database.ts";
import type { Write } from "../../kernel/storage/write.ts";
import type { Clock } from "../../kernel/time/clock.ts";
import { createActors } from "./actors.ts";
import { createAdmission } from "./admission.ts";
import { createCredentials } from "./credentials.ts";
import { accessEvents, actorEvent } from "./events.ts";
import { createExpiry, type Streams } from "./expiry.ts";
import { createLastUse } from "./last-use.ts";
import { ensureLocalActor } from "./local-actor.ts";
import { serveActors, serveCredentials } from "./operations.ts";
import { createActorStore, createCredentialStore } from "./store.ts";

export interface AccessParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly write: Write<never>;
  readonly streams: Streams;
  /** Publishes the event of an expiry, which no fact reports. */
  readonly publish: (kind: EventKind, make: () => Hint | null) => void;
}

export function openAccess({ db, clock, log, write, streams, publish }: AccessParts) {
  const actorStore = createActorStore(db);
  const credentialStore = createCredentialStore(db);
  const stores = { actors: actorStore, credentials: credentialStore };
  const local = ensureLocalActor(write, actorStore);
  const lastUse = createLastUse({ clock, log, write, ...stores });
  const credentials = createCredentials({ store: credentialStore, actors: actorStore, lastUse });
  const actors = createActors({ store: actorStore, credentials, lastUse });
  const expiry = createExpiry({
    clock,
    log,
    store: actorStore,
    streams,
    onExpired: (actorId) => publish("actor", () => actorEvent({ actors, clock }, "updated", actorId)),
  });
  return {
    actors,
    credentials,
    admission: { ...createAdmission(stores), noteUse: lastUse.note },
    /** Returns the actor of every caller on the protected socket. */
    localActor: (): Actor => local,
    operations: { ...serveActors(actors), ...serveCredentials(credentials) },
    events: accessEvents({ actors, clock }),
    revisions: { actor: (id: string) => actors.find(id)?.revision },
    expiry,
    lastUse: lastUse.loop,
    loops: [lastUse.loop, expiry],
  };
}

export type Access = ReturnType<typeof openAccess>;
