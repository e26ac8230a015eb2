import type { Actor } from "@belfry/client";
import type { AnyClient } from "../any-client.ts";
import { foldName } from "@belfry/contract";
import { gather } from "../gather.ts";
import { find, type ResourceKind } from "./find.ts";

export function actorKind(client: AnyClient): ResourceKind<Actor> {
  return {
    noun: "actor",
    idPrefix: "act",
    get: (id) => client.actors.get(id),
    search: (part) => withoutReplaced(client.actors.list(part === null ? {} : { q: part })),
    pathOf: (actor) => actor.name,
  };
}

export function findActor(client: AnyClient, typed: string): Promise<Actor> {
  return find(actorKind(client), typed);
}

/** Leaves out revoked actors whose name another actor has now. */
async function* withoutReplaced(actors: AsyncIterable<Actor>): AsyncIterable<Actor> {
  const all = await gather(actors);
  const present = new Set(all.filter(({ state }) => state !== "revoked").map(({ name }) => foldName(name)));
  for (const actor of all) if (actor.state !== "revoked" || !present.has(foldName(actor.name))) yield actor;
}
