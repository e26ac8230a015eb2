import type { EventKind, Hint } from "@belfry/contract";
import type { AnyFact } from "./storage/write.ts";

/**
 * The events of a module: an entry for each of its facts, null for a fact without an event. The entry decides which members
 * of a resource an event contains, and leaves out secrets. It is called only while a subscriber wants the kind.
 */
export interface ModuleEvents<F extends AnyFact> {
  readonly kind: EventKind;
  readonly of: { readonly [N in F["name"]]: ((fact: Extract<F, { readonly name: N }>) => Hint | null) | null };
  /** Never set: it carries the type of the module's facts. */
  readonly fact?: F;
}

/** The facts that modules record. */
export type FactOf<M> = M extends { readonly events: ModuleEvents<infer F> } ? F : never;

/** The parts of a module that composition uses, besides those that it passes to other modules. */
export interface Module {
  /** The served operations by id; typed in the module. */
  readonly operations: object;
  readonly events?: { readonly kind: EventKind; readonly of: Readonly<Record<string, unknown>> };
  /** The current revision of a resource, by its type; undefined if the resource does not exist. */
  readonly revisions?: Readonly<Record<string, (id: string) => number | undefined>>;
  /** Started in the order of the modules, after the socket is open; stopped in reverse. */
  readonly loops?: readonly Service[];
}

/** A service that works by itself between `start` and `stop`. */
export interface Service {
  readonly start: () => void;
  readonly stop: () => void | Promise<void>;
}
