import { type Capability, isCapabilityEnough } from "@belfry/contract";
import { AppError } from "../../kernel/errors/errors.ts";
import type { Actor } from "../../kernel/operation.ts";
import type { Instant } from "../../kernel/time/time.ts";
import { refusalOf, unauthorized } from "./standing.ts";
import type { ActorStore, CredentialStore } from "./store.ts";
import { isTokenOf, publicPartOf, readBearer } from "./token.ts";
import { createVerifiedTokens } from "./verified-tokens.ts";

export interface AdmissionDeps {
  readonly actors: Pick<ActorStore, "find">;
  readonly credentials: Pick<CredentialStore, "findByPublicPart" | "findStanding">;
}

export type Admission = ReturnType<typeof createAdmission>;

/** Decides who calls, and whether the caller may still act. */
export function createAdmission({ actors, credentials }: AdmissionDeps) {
  const verified = createVerifiedTokens();
  /** The actor that `authenticate` has just read. Only the next question about it, in the same turn, needs no reading. */
  let justRead: Actor | null = null;

  /** Returns the credential with this token. A token that was verified once is recognized without its hash. */
  const credentialOf = (token: string) => {
    const id = verified.credentialOf(token);
    if (id !== null) return credentials.findStanding(id);
    const found = credentials.findByPublicPart(publicPartOf(token) ?? "");
    if (!isTokenOf(token, found) || found === undefined) return undefined;
    verified.remember(token, found.id);
    return found;
  };

  return {
    /**
     * Reads an actor and its credential again; throws if it may no longer act. A caller never has more rights than when
     * its request began.
     */
    readAgain: (actor: Actor, now: Instant): Actor => {
      const isJustRead = actor === justRead;
      justRead = null;
      if (isJustRead) return actor;
      const row = actors.find(actor.id);
      const credential = actor.credentialId === null ? null : credentials.findStanding(actor.credentialId);
      if (row === undefined || credential === undefined) throw unauthorized();
      const refusal = refusalOf(row, credential, now);
      if (refusal !== null) throw refusal;
      const capability = lowerOf(row.capability, actor.capability);
      if (capability === actor.capability && row.name === actor.name) return actor;
      return { ...actor, name: row.name, capability };
    },

    /**
     * Returns the actor whose token a request has, or why the request is rejected. `headers` are the values of all its
     * `Authorization` headers. Only the holder of a valid token learns that it was revoked or has expired. A disabled
     * actor is returned too: its token is valid, and `readAgain` refuses it, so that the refusal is recorded as its own.
     */
    authenticate: (headers: readonly string[], now: Instant): Actor | AppError => {
      const token = readBearer(headers);
      if (token === null) return unauthorized();
      const credential = credentialOf(token);
      const actor = credential === undefined ? undefined : actors.find(credential.actorId);
      if (credential === undefined || actor === undefined) return unauthorized();
      const refusal = refusalOf(actor, credential, now);
      if (refusal !== null && refusal.code !== "forbidden") return refusal;
      const { id, name } = actor;
      const capability = lowerOf(actor.capability, credential.capability);
      const identified: Actor = { id, name, capability, transport: "remote", credentialId: credential.id };
      if (refusal === null) justRead = identified;
      return identified;
    },
  };
}

/** Returns the lower of two capabilities; a limit of null limits nothing. */
export function lowerOf(held: Capability, limit: Capability | null): Capability {
  return limit === null || isCapabilityEnough(limit, held) ? held : limit;
}
