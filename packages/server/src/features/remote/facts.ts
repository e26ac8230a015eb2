export type RemoteFact =
  /** The remote API was enabled or disabled. */
  | { readonly name: "remote.switched"; readonly isEnabled: boolean }
  | { readonly name: "remote.updated"; readonly changed: readonly string[] };
