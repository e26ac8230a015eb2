import type { Hint } from "@belfry/contract";
import type { ModuleEvents } from "../../kernel/module.ts";
import type { Clock } from "../../kernel/time/clock.ts";
import type { Actors } from "./actors.ts";
import type { AccessFact } from "./facts.ts";

export interface AccessEventDeps {
  readonly actors: Pick<Actors, "find" | "view">;
  readonly clock: Pick<Clock, "now">;
}

/** A change of a credential is an event of its actor. */
export function accessEvents(deps: AccessEventDeps): ModuleEvents<AccessFact> {
  const updated = ({ actorId }: { readonly actorId: string }) => actorEvent(deps, "updated", actorId);
  return {
    kind: "actor",
    of: {
      "actor.created": ({ actorId }) => actorEvent(deps, "created", actorId),
      "actor.updated": updated,
      "actor.restricted": null,
      "credential.issued": updated,
      "credential.revoked": updated,
    },
  };
}

export function actorEvent(
  { actors, clock }: AccessEventDeps,
  verb: "created" | "updated",
  actorId: string,
): Hint | null {
  const row = actors.find(actorId);
  return row === undefined ? null : { kind: "actor", verb, id: actorId, actor: actors.view(row, clock.now()) };
}
