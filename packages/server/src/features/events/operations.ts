import { type eventOperations, eventKinds, unknownName } from "@belfry/contract";
import { invalid } from "../../kernel/errors/errors.ts";
import type { OperationsOf } from "../../kernel/operation.ts";
import type { Hub } from "./hub.ts";

const retryMs = 1_000;

export function serveEvents(hub: Hub): OperationsOf<typeof eventOperations> {
  return {
    "events.subscribe": {
      handle: ({ query }) => {
        const kinds = readKinds(query.kinds);
        return { kind: "pushed", start: (sink) => hub.subscribe(kinds, sink), retryMs };
      },
    },
  };
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
