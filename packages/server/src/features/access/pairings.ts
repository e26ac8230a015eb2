import {
  formatInvitation,
  type InvitedTrust,
  type Pairing,
  type PairingCreate,
  type PairingSecret,
} from "@belfry/contract";
import { AppError, notFound } from "../../kernel/errors/errors.ts";
import { newId } from "../../kernel/ids.ts";
import type { Page } from "../../kernel/storage/page.ts";
import type { Unit } from "../../kernel/storage/write.ts";
import { durationMs } from "../../kernel/time/duration.ts";
import { formatInstant, type Instant } from "../../kernel/time/time.ts";
import type { Actors } from "./actors.ts";
import { requireEnrollable } from "./credentials.ts";
import { createPhrase } from "./phrase.ts";
import type { PairingFilters, PairingStore } from "./pairing-store.ts";
import type { ActorRow, PairingRow } from "./table.ts";
import { viewPairing } from "./view.ts";

/** How clients reach and recognize this daemon. */
export interface InvitationTrust {
  /** Hosts with ports. */
  readonly addresses: readonly string[];
  /** Of the certificate that clients trust: the root, or a certificate from elsewhere. */
  readonly certificateSha256: string;
  readonly publicKeySha256: string;
  readonly trust: InvitedTrust;
}

export interface PairingDeps {
  readonly store: PairingStore;
  readonly actors: Pick<Actors, "get" | "find" | "requireFreeName">;
  /** The identity of the installation. */
  readonly identity: () => string;
  /** Null while the remote API is off. */
  readonly trust: () => InvitationTrust | null;
}

export type Pairings = ReturnType<typeof createPairings>;

/** Long enough to see in the list what became of a pairing. */
const keptMs = 86_400_000;

/*
 * The states of a pairing, of which none is stored:
 *
 *   open      Its phrase can be used.
 *   used      Its phrase was exchanged for a credential.
 *   burnt     Its tries were used up.
 *   expired   Its time has passed, its actor was revoked, or the installation got another identity.
 *
 *   open -> used      a right phrase, in the write that creates the credential
 *   open -> burnt     the last try, which is counted before the phrase is compared
 *   burnt -> used     the phrase of the last try was right
 *   open -> expired   with time; `expire`
 *
 * A pairing without an actor reserves the name of its new actor while it is open.
 */
export function createPairings({ store, actors, identity, trust }: PairingDeps) {
  const get = (id: string): PairingRow => {
    const row = store.find(id);
    if (row === undefined) throw notFound("pairing", id);
    return row;
  };

  return {
    get,
    list: (filters: PairingFilters, page: Page): readonly PairingRow[] => store.list(filters, page),
    view: (row: PairingRow, now: Instant): Pairing => viewPairing(row, { actor: actorOf(row), now }),

    /** Creates a pairing and its phrase. Only a hash of the phrase is stored. */
    create: (unit: Unit, input: PairingCreate): PairingSecret => {
      const grant = grantOf(unit, input);
      const trusted = trust();
      if (trusted === null)
        throw new AppError(
          "conflict",
          "the remote API is off, so no client can enrol: run `belfry remote enable` first",
        );
      store.removeExpiredUntil(unit.now - keptMs);
      const { phrase, stored } = createPhrase();
      const row: PairingRow = {
        id: newId("par"),
        ...grant,
        kind: input.kind,
        ...stored,
        tries: 0,
        createdAt: unit.now,
        expiresAt: unit.now + durationMs(input.expires_in),
        usedAt: null,
      };
      store.insert(row);
      const { addresses } = trusted;
      const daemonId = identity();
      return {
        pairing_id: row.id,
        phrase,
        daemon_id: daemonId,
        expires_at: formatInstant(row.expiresAt),
        addresses: [...addresses],
        certificate_sha256: trusted.certificateSha256,
        public_key_sha256: trusted.publicKeySha256,
        invitation: formatInvitation({ pairingId: row.id, daemonId, addresses, trust: trusted.trust }),
      };
    },

    delete: (id: string): void => store.remove(get(id).id),
  };

  function actorOf({ actorId }: PairingRow): ActorRow | undefined {
    return actorId === null ? undefined : actors.get(actorId);
  }

  function grantOf(unit: Unit, input: PairingCreate): Pick<PairingRow, "actorId" | "name" | "nameKey" | "capability"> {
    if ("name" in input) {
      const { capability } = input;
      return { actorId: null, ...actors.requireFreeName(input.name, { id: null, now: unit.now }), capability };
    }
    const actor = actors.find(input.actor_id);
    if (actor === undefined) throw notFound("actor", input.actor_id, "actor_id");
    requireEnrollable(actor);
    const { id: actorId, name, nameKey, capability } = actor;
    return { actorId, name, nameKey, capability };
  }
}
