export type ManifestFact = { readonly name: "manifest.updated"; readonly changed: readonly string[] };
