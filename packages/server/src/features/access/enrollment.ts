import { type Capability, type Enrollment, type EnrollRequest, isCapabilityEnough } from "@belfry/contract";
import { AppError } from "../../kernel/errors/errors.ts";
import type { Unit, WriteSoon } from "../../kernel/storage/write.ts";
import { formatInstantOrNull } from "../../kernel/time/time.ts";
import type { Actors } from "./actors.ts";
import type { Credentials } from "./credentials.ts";
import type { AccessFact } from "./facts.ts";
import type { PairingStore } from "./pairing-store.ts";
import { isPhraseOf } from "./phrase.ts";
import type { ActorRow, PairingRow } from "./table.ts";

export interface EnrollmentDeps {
  readonly writeSoon: WriteSoon<never>;
  readonly store: PairingStore;
  readonly actors: Pick<Actors, "get" | "find" | "create">;
  readonly credentials: Pick<Credentials, "issue">;
  /** The identity of the installation. */
  readonly identity: () => string;
}

export type EnrollmentService = ReturnType<typeof createEnrollment>;

/** Exchanges the phrase of a pairing for a credential. */
export function createEnrollment({ writeSoon, store, actors, credentials, identity }: EnrollmentDeps) {
  return {
    /**
     * Compares the identity, counts the try in a commit of its own, and only then compares the phrase. So no crash and no
     * failure returns a try.
     */
    check: async (request: EnrollRequest): Promise<void> => {
      if (request.daemon_id !== identity())
        throw new AppError(
          "conflict",
          "this daemon has another identity than daemon_id: check which daemon you reached, or ask for a new pairing",
          { field: "daemon_id" },
        );
      const pairing = await takeTry(request.pairing_id);
      if (!isPhraseOf(request.phrase, pairing) || pairing === undefined) throw refused();
      requireGrant(request, pairing);
    },

    /** Uses the pairing, and creates the credential, and the actor if the pairing makes one. */
    enroll: (unit: Unit<AccessFact>, request: EnrollRequest): Enrollment => {
      const pairing = store.find(request.pairing_id);
      if (pairing === undefined) throw refused();
      const granted = requireGrant(request, pairing);
      const actor = pairing.actorId === null ? createActor(unit, pairing, granted) : actors.get(pairing.actorId);
      if (!store.use(pairing.id, actor.id, unit.now)) throw refused();
      const limit = granted === actor.capability ? null : granted;
      const { row, token } = credentials.issue(unit, {
        actorId: actor.id,
        displayName: request.display_name ?? actor.name,
        kind: request.kind ?? pairing.kind,
        capability: limit,
      });
      return {
        daemon_id: identity(),
        actor_id: actor.id,
        credential_id: row.id,
        capability: granted,
        access_token: token,
        expires_at: formatInstantOrNull(actor.expiresAt),
      };
    },
  };

  /** Counts a try; returns the pairing if there was one left. An unknown id writes nothing. */
  async function takeTry(id: string): Promise<PairingRow | undefined> {
    const pairing = store.find(id);
    if (pairing === undefined) return undefined;
    return (await writeSoon((unit) => store.takeTry(id, unit.now))) ? pairing : undefined;
  }

  /** Returns the capability that the client gets: what the pairing offers, or less if the client asks for less. */
  function requireGrant({ capability }: EnrollRequest, pairing: PairingRow): Capability {
    const offered = pairing.actorId === null ? pairing.capability : actors.get(pairing.actorId).capability;
    if (capability === undefined || isCapabilityEnough(offered, capability)) return capability ?? offered;
    throw new AppError(
      "forbidden",
      `this pairing offers the capability ${offered}, which does not include ${capability}: leave out \`capability\`, or ask for a new pairing`,
      { field: "capability" },
    );
  }

  function createActor(unit: Unit<AccessFact>, pairing: PairingRow, capability: Capability): ActorRow {
    try {
      return actors.create(unit, { name: pairing.name, capability }, pairing.id);
    } catch (error) {
      // a pairing that its last try has burnt reserves no name, so another actor may have got it meanwhile
      throw error instanceof AppError ? refused() : error;
    }
  }
}

/** Answers every pairing that cannot be used and every wrong phrase, so that a caller cannot tell these apart. */
function refused(): AppError {
  return new AppError(
    "unauthorized",
    "the phrase is wrong, or the pairing is unknown, used, expired or closed after wrong phrases: check the phrase, or ask for a new pairing",
  );
}
