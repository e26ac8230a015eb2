import type { Hint } from "@belfry/contract";

/** The kinds whose event has the resource itself as a member. */
type ResourceKind = "chain" | "group" | "notification_channel" | "schedule" | "task" | "trigger";
type EventOf<K extends ResourceKind> = Extract<Hint, { readonly kind: K }>;

export interface ResourceEvents {
  readonly created: (id: string) => Hint | null;
  readonly updated: (id: string) => Hint | null;
  readonly deleted: (id: string) => Hint | null;
}

/**
 * The events of one kind of resource. `view` shows the resource as its event contains it; undefined where it is gone. Another
 * write of the same commit may have deleted it: then only the deletion has an event.
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
