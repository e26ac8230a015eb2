import type { manifestOperations } from "@belfry/contract";
import type { HandlersOf } from "../../kernel/operation.ts";
import type { ManifestFact } from "./facts.ts";
import type { ManifestRoom } from "./service.ts";

export function createManifestHandlers(manifest: ManifestRoom): HandlersOf<typeof manifestOperations, ManifestFact> {
  return {
    "manifest.get": () => manifest.view(),
    "manifest.update": (unit, { body }) =>
      body.display_name === undefined ? manifest.view() : manifest.rename(unit, body.display_name),
    "manifest.reset": (unit, { body }) => manifest.reset(unit, body.confirm_installation_id),
  };
}
