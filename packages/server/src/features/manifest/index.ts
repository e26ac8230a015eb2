export type { ManifestFact } from "./facts.ts";
export { createManifestHandlers } from "./handlers.ts";
export { createManifest, type ManifestRoom } from "./service.ts";
export { createManifestStore } from "./store.ts";
