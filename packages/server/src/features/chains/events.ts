import type { ModuleEvents } from "../../kernel/module.ts";
import { resourceEvents } from "../../kernel/resource-events.ts";
import type { ChainFact } from "./facts.ts";
import type { Chains } from "./service.ts";
import { viewChain } from "./view.ts";

export function chainEvents(chains: Chains): ModuleEvents<ChainFact> {
  const event = resourceEvents("chain", (id) => {
    const row = chains.find(id);
    return row && viewChain(row);
  });
  return {
    kind: "chain",
    of: {
      "chain.created": ({ chainId }) => event.created(chainId),
      "chain.updated": ({ chainId }) => event.updated(chainId),
      "chain.deleted": ({ chainId }) => event.deleted(chainId),
    },
  };
}
