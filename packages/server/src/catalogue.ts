import type { CatalogueOperation, catalogue } from "@belfry/contract";
import type { AnyConcern, AnyHandler, AnyReplay } from "./door.ts";
import type { ConcernsOf, HandlersOf, ReplaysOf } from "./kernel/operation.ts";
import type { Fact } from "./reactions.ts";

/** A handler for every operation there is; a missing one does not compile. */
export type Handlers = HandlersOf<typeof catalogue, Fact>;
/** How a repeated call is answered where no plain read does it; a missing one does not compile. */
export type Replays = ReplaysOf<typeof catalogue>;
/** What a refused call concerns where its path does not name it; a missing one does not compile. */
export type Concerns = ConcernsOf<typeof catalogue>;

/** Safe because `Handlers` has proved each one, and the door calls it with what its own operation parsed. */
export function asTable(handlers: Handlers): Readonly<Record<CatalogueOperation["id"], AnyHandler>> {
  return handlers as unknown as Readonly<Record<CatalogueOperation["id"], AnyHandler>>;
}

/** Safe for the same reason. */
export function asReplayTable(replays: Replays): Readonly<Record<string, AnyReplay>> {
  return replays as unknown as Readonly<Record<string, AnyReplay>>;
}

/** Safe for the same reason. */
export function asConcernTable(concerns: Concerns): Readonly<Record<string, AnyConcern>> {
  return concerns as unknown as Readonly<Record<string, AnyConcern>>;
}
