import {
  type Capability,
  type EventKind,
  type eventOperations,
  eventKinds,
  isCapabilityEnough,
  unknownName,
} from "@belfry/contract";
import { invalid } from "../../kernel/errors/errors.ts";
import type { OperationsOf } from "../../kernel/operation.ts";
import type { Hub } from "./hub.ts";

const retryMs = 1_000;

export function serveEvents(hub: Hub): OperationsOf<typeof eventOperations> {
  return {
    "events.subscribe": {
      handle: ({ query, actor }) => {
        const kinds = visibleKinds(readKinds(query.kinds), actor.capability);
        return { kind: "pushed", start: (sink) => hub.subscribe(kinds, sink), retryMs };
      },
    },
  };
}

/** The kinds that only some subscribers get, with the capability that they need. Others get the kinds besides. */
const restricted: readonly (readonly [EventKind, Capability])[] = [["actor", "enroll"]];

function visibleKinds(kinds: ReadonlySet<string> | null, capability: Capability): ReadonlySet<string> | null {
  const hidden = restricted.filter(([, needed]) => !isCapabilityEnough(capability, needed)).map(([kind]) => kind);
  if (hidden.length === 0) return kinds;
  return new Set(kinds ?? eventKinds).difference(new Set<string>(hidden));
}

function readKinds(text: string | undefined): ReadonlySet<string> | null {
  if (text === undefined) return null;
  const kinds = text.split(",").map((kind) => kind.trim());
  const unknown = kinds.find((kind) => !eventKinds.some((known) => known === kind));
  if (unknown !== undefined) {
    const fault = unknownName(unknown, { what: "event kind", known: eventKinds });
    throw invalid("kinds", `kinds has ${JSON.stringify(unknown)}, which ${fault}`);
  }
  return new Set(kinds);
}
