import type { CatalogueOperation, catalogue } from "@belfry/contract";
import type { AnyHandler } from "./door.ts";
import type { HandlersOf } from "./kernel/operation.ts";
import type { Fact } from "./reactions.ts";

/** A handler for every operation there is; a missing one does not compile. */
export type Handlers = HandlersOf<typeof catalogue, Fact>;

/** Safe because `Handlers` has proved each one, and the door calls it with what its own operation parsed. */
export function asTable(handlers: Handlers): Readonly<Record<CatalogueOperation["id"], AnyHandler>> {
  return handlers as unknown as Readonly<Record<CatalogueOperation["id"], AnyHandler>>;
}
