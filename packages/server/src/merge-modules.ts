import type { catalogue } from "@belfry/contract";
import type { Hub } from "./features/events/index.ts";
import type { ServedOperation } from "./gateway.ts";
import type { Module, Service } from "./kernel/module.ts";
import type { OperationsOf } from "./kernel/operation.ts";
import type { AnyFact } from "./kernel/storage/write.ts";
import type { Fact, Modules } from "./modules.ts";

type Union = Modules[keyof Modules]["operations"];
/** The intersection of all members of a union: the type of an object that merges them all. */
type Merged<U> = (U extends unknown ? (member: U) => void : never) extends (merged: infer M) => void ? M : never;

/**
 * Merges the operations of all modules into one table. An operation of the catalogue that no module serves does not
 * compile.
 */
export function mergeOperations(modules: Modules): Record<string, ServedOperation> {
  const merged = Object.assign({}, ...Object.values(modules).map(({ operations }) => operations)) as Merged<Union>;
  const complete: OperationsOf<typeof catalogue, Fact> = merged;
  // safe because each entry is typed by its own operation, and the gateway calls it with that operation's parsed input
  return complete as unknown as Record<string, ServedOperation>;
}

/** Merges the revisions of all types of resources. */
export function mergeRevisions(modules: Modules): Readonly<Record<string, (id: string) => number | undefined>> {
  const all: readonly Module[] = Object.values(modules);
  return Object.fromEntries(all.flatMap(({ revisions }) => Object.entries(revisions ?? {})));
}

export function listLoops(modules: Modules): readonly Service[] {
  const all: readonly Module[] = Object.values(modules);
  return all.flatMap(({ loops }) => loops ?? []);
}

/** Publishes the event of each fact that has one. */
export function createPublisher(modules: Modules, hub: Hub): (fact: AnyFact) => void {
  const all: readonly Module[] = Object.values(modules);
  // safe because a maker is only ever called with the fact it is listed under
  const makers = new Map(
    all.flatMap(({ events }) =>
      events === undefined
        ? []
        : Object.entries(events.of).map(([name, make]) => [name, { kind: events.kind, make: make as Maker }]),
    ),
  );
  return (fact) => {
    const found = makers.get(fact.name);
    const make = found?.make;
    if (found !== undefined && make != null) hub.publish(found.kind, () => make(fact));
  };
}

type Maker = ((fact: AnyFact) => ReturnType<Parameters<Hub["publish"]>[1]>) | null;
