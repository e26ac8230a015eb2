export type { ManifestFact } from "./facts.ts";
export { openManifest } from "./open.ts";
export type { ManifestService } from "./service.ts";
