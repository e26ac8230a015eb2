export type { ChainFact } from "./facts.ts";
export { openChains } from "./open.ts";
