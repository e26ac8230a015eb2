import { type Operation } from "@belfry/contract";
import type { IncomingMessage } from "node:http";
import { anonymous } from "../../gateway.ts";
import { AppError } from "../../kernel/errors/errors.ts";
import type { Actor } from "../../kernel/operation.ts";
import type { Clock } from "../../kernel/time/clock.ts";
import type { Connection } from "../shared/mount.ts";
import type { RefusalSummary } from "../shared/refusal-summary.ts";
import { valuesOfHeader } from "../shared/raw-headers.ts";
import { limitedAddressOf } from "./client-address.ts";
import type { Connections } from "./connections.ts";
import type { RateLimits } from "./rate-limits.ts";
import type { Refused } from "./refused.ts";

export interface IdentifyParts {
  /** Returns the actor of the values of all `Authorization` headers, or why there is none. */
  readonly authenticate: (headers: readonly string[], now: number) => Actor | AppError;
  readonly clock: Pick<Clock, "now">;
  readonly rates: RateLimits;
  readonly connections: Pick<Connections, "authenticate" | "reject">;
  readonly refused: Pick<RefusalSummary<Refused>, "count">;
}

/** Identifies the callers of the remote transport, and limits how often they may call. */
export function createIdentify({ authenticate, clock, rates, connections, refused }: IdentifyParts) {
  return {
    actorOf: (connection: Connection, operation: Operation): Actor | AppError => {
      const incoming = requestOf(connection);
      return operation.isPublic === true ? admitAnyone(incoming, operation) : admitActor(incoming);
    },

    /**
     * Answers a request for a path or a method that is not remote. The answer is always the same, so nothing
     * distinguishes an operation of the protected socket from a path that does not exist.
     */
    refuseUnknown: (connection: Connection): AppError => {
      const incoming = requestOf(connection);
      const actor = actorWithToken(incoming);
      if (actor !== null) return rates.ofActor(actor.id) ? unknownPath() : limited();
      return rates.unauthenticated(addressOf(incoming)) ? counted("not_found", unknownPath()) : refuseLimited();
    },
  };

  function admitAnyone(incoming: IncomingMessage, operation: Operation): Actor | AppError {
    const address = addressOf(incoming);
    if (operation.kind === "write")
      return rates.enrollment(address) ? anonymous : counted("rate_limited", tooManyEnrolments());
    if (rates.unauthenticated(address)) return anonymous;
    // neighbours behind the same address have used up its limit
    const actor = actorWithToken(incoming);
    if (actor === null) return refuseLimited();
    return rates.ofActor(actor.id) ? anonymous : limited();
  }

  function admitActor(incoming: IncomingMessage): Actor | AppError {
    const { socket } = incoming;
    const actor = authenticate(authorizationOf(incoming), clock.now());
    if (actor instanceof AppError) {
      connections.reject(socket);
      if (!rates.unauthenticated(addressOf(incoming))) return refuseLimited();
      return counted(actor.code === "credential_revoked" ? "credential_revoked" : "unauthorized", actor);
    }
    if (!rates.ofActor(actor.id)) return limited();
    return actor.credentialId === null || connections.authenticate(socket, actor.credentialId) ? actor : crowded();
  }

  function actorWithToken(incoming: IncomingMessage): Actor | null {
    const headers = authorizationOf(incoming);
    const actor = headers.length === 0 ? null : authenticate(headers, clock.now());
    return actor instanceof AppError ? null : actor;
  }

  function refuseLimited(): AppError {
    return counted("rate_limited", limited());
  }

  function counted(kind: Refused, error: AppError): AppError {
    refused.count(kind);
    return error;
  }
}

/** Safe because the listener passes Node's own request. */
function requestOf({ incoming }: Connection): IncomingMessage {
  return incoming as IncomingMessage;
}

function authorizationOf({ rawHeaders }: IncomingMessage): readonly string[] {
  return valuesOfHeader(rawHeaders, "authorization");
}

function addressOf({ socket }: IncomingMessage): string {
  return limitedAddressOf(socket.remoteAddress ?? "");
}

function unknownPath(): AppError {
  return new AppError("not_found", "this path does not exist: GET /api/v1/openapi.json lists all paths");
}

function limited(): AppError {
  return new AppError("rate_limited", "there were too many requests: wait a second and try again");
}

function tooManyEnrolments(): AppError {
  return new AppError("rate_limited", "there were too many enrolments from this address: wait a minute and try again");
}

function crowded(): AppError {
  return new AppError("rate_limited", "there are too many open connections: close some and try again");
}
