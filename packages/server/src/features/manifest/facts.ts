export type ManifestFact =
  | { readonly name: "manifest.updated"; readonly changed: readonly string[] }
  /** The installation has a new identity. */
  | { readonly name: "manifest.reset" };
