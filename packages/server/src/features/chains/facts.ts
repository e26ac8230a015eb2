export type ChainFact =
  | { readonly name: "chain.created"; readonly chainId: string }
  | { readonly name: "chain.updated"; readonly chainId: string; readonly changed: readonly string[] }
  | { readonly name: "chain.deleted"; readonly chainId: string };
