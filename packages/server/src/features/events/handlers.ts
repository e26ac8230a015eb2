import { type eventOperations, eventKinds } from "@belfry/contract";
import { invalid } from "../../kernel/errors.ts";
import type { HandlersOf } from "../../kernel/operation.ts";
import type { Hub } from "./hub.ts";

const retryMs = 1_000;

export function createEventHandlers(hub: Hub): HandlersOf<typeof eventOperations> {
  return {
    "events.subscribe": ({ query }) => {
      const kinds = readKinds(query.kinds);
      return { kind: "pushed", start: (sink) => hub.subscribe(kinds, sink), retryMs };
    },
  };
}

function readKinds(text: string | undefined): ReadonlySet<string> | null {
  if (text === undefined) return null;
  const kinds = text.split(",").map((kind) => kind.trim());
  const unknown = kinds.find((kind) => !eventKinds.some((known) => known === kind));
  if (unknown !== undefined)
    throw invalid("kinds", `there is no event kind ${JSON.stringify(unknown)}; there are ${eventKinds.join(", ")}`);
  return new Set(kinds);
}
