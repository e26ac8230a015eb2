import type { EventKind, Hint } from "@belfry/contract";
import type { Log } from "../../kernel/log/log.ts";
import type { Actor } from "../../kernel/operation.ts";
import type { Db } from "../../kernel/storage/database.ts";
import type { Unit, Write, WriteSoon } from "../../kernel/storage/write.ts";
import type { Clock } from "../../kernel/time/clock.ts";
import { createActors } from "./actors.ts";
import { createAdmission } from "./admission.ts";
import { createCredentials } from "./credentials.ts";
import { createEnrollment } from "./enrollment.ts";
import { accessEvents, actorEvent } from "./events.ts";
import { createExpiry, type Streams } from "./expiry.ts";
import { createLastUse } from "./last-use.ts";
import { ensureLocalActor } from "./local-actor.ts";
import type { AccessFact } from "./facts.ts";
import { serveActors, serveCredentials, serveEnrollment, servePairings } from "./operations.ts";
import { createPairingStore } from "./pairing-store.ts";
import { createPairings, type InvitationTrust } from "./pairings.ts";
import { createActorStore, createCredentialStore } from "./store.ts";

export interface AccessParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly write: Write<never>;
  readonly writeSoon: WriteSoon<never>;
  readonly streams: Streams;
  /** Publishes the event of an expiry, which no fact reports. */
  readonly publish: (kind: EventKind, make: () => Hint | null) => void;
  /** The identity of the installation. */
  readonly identity: () => string;
  /** How clients reach and recognize this daemon; null while the remote API is off. */
  readonly trust: () => InvitationTrust | null;
}

export function openAccess({ db, clock, log, write, writeSoon, streams, publish, identity, trust }: AccessParts) {
  const actorStore = createActorStore(db);
  const credentialStore = createCredentialStore(db);
  const stores = { actors: actorStore, credentials: credentialStore };
  const local = ensureLocalActor(write, actorStore);
  const lastUse = createLastUse({ clock, log, write, ...stores });
  const credentials = createCredentials({ store: credentialStore, actors: actorStore, lastUse });
  const pairingStore = createPairingStore(db);
  const actors = createActors({ store: actorStore, credentials, pairings: pairingStore, lastUse });
  const pairings = createPairings({ store: pairingStore, actors, identity, trust });
  const enrollment = createEnrollment({ writeSoon, store: pairingStore, actors, credentials, identity });
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
    /** Revokes every credential and ends every pairing: they were made for the former identity, which another machine may have. */
    onManifestReset: (unit: Unit<AccessFact>): void => {
      credentials.revokeAll(unit);
      pairingStore.expire(unit.now);
    },
    operations: {
      ...serveActors(actors),
      ...serveCredentials(credentials),
      ...servePairings(pairings),
      ...serveEnrollment(enrollment, actors),
    },
    events: accessEvents({ actors, clock }),
    revisions: { actor: (id: string) => actors.find(id)?.revision },
    expiry,
    lastUse: lastUse.loop,
    loops: [lastUse.loop, expiry],
  };
}

export type Access = ReturnType<typeof openAccess>;
