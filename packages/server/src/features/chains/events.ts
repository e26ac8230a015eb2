import type { ModuleEvents } from "../../kernel/module.ts";
import type { ChainFact } from "./facts.ts";
import type { Chains } from "./service.ts";
import { viewChain } from "./view.ts";

export function chainEvents(chains: Chains): ModuleEvents<ChainFact> {
  const event =
    (verb: "created" | "updated" | "deleted") =>
    ({ chainId: id }: { readonly chainId: string }) => {
      const row = chains.find(id);
      if (row === undefined) return verb === "deleted" ? ({ kind: "chain", verb, id } as const) : null;
      return { kind: "chain", verb, id, chain: viewChain(row) } as const;
    };
  return {
    kind: "chain",
    of: { "chain.created": event("created"), "chain.updated": event("updated"), "chain.deleted": event("deleted") },
  };
}
