export type { ChainFact } from "./facts.ts";
export { createChainHandlers } from "./handlers.ts";
export { createChainReactions } from "./reactions.ts";
export { type Chains, createChains } from "./service.ts";
export { createChainStore } from "./store.ts";
export { createChainWhy } from "./why.ts";
export { viewChain } from "./view.ts";
