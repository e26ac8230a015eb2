import type { Hint } from "@belfry/contract";

/** The kinds of resources that are created and deleted, and whose event has the resource itself as a member. */
type ResourceKind = ResourceKindOf<Hint>;
type ResourceKindOf<E extends Hint> = E extends { readonly kind: infer K; readonly verb: infer V }
  ? "deleted" extends V
    ? Extract<K, keyof E>
    : never
  : never;
type EventOf<K extends ResourceKind> = Extract<Hint, { readonly kind: K }>;

export interface ResourceEvents {
  readonly created: (id: string) => Hint | null;
  readonly updated: (id: string) => Hint | null;
  readonly deleted: (id: string) => Hint | null;
}

/**
 * Creates the events of one kind of resource. `view` shows the resource as its event contains it, or returns undefined
 * if it does not exist. Another write of the same commit may have deleted it: then only the deletion has an event.
 */
export function resourceEvents<K extends ResourceKind>(
  kind: K,
  view: (id: string) => EventOf<K>[K & keyof EventOf<K>] | undefined,
): ResourceEvents {
  const eventOf = (verb: keyof ResourceEvents) => (id: string) => {
    const resource = view(id);
    if (resource === undefined && verb !== "deleted") return null;
    // safe because the kind names the member that holds its resource
    return { kind, verb, id, ...(resource === undefined ? {} : { [kind]: resource }) } as EventOf<K>;
  };
  return { created: eventOf("created"), updated: eventOf("updated"), deleted: eventOf("deleted") };
}
