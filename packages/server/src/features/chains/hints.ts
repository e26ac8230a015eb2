import type { Hints } from "../../kernel/module.ts";
import type { ChainFact } from "./facts.ts";
import type { Chains } from "./service.ts";
import { viewChain } from "./view.ts";

export function chainHints(chains: Chains): Hints<ChainFact> {
  const hint =
    (verb: "created" | "updated" | "deleted") =>
    ({ chainId: id }: { readonly chainId: string }) => {
      const row = chains.find(id);
      if (row === undefined) return verb === "deleted" ? ({ kind: "chain", verb, id } as const) : null;
      return { kind: "chain", verb, id, chain: viewChain(row) } as const;
    };
  return {
    kind: "chain",
    of: { "chain.created": hint("created"), "chain.updated": hint("updated"), "chain.deleted": hint("deleted") },
  };
}
