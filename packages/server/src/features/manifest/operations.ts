import type { manifestOperations } from "@belfry/contract";
import type { OperationsOf } from "../../kernel/operation.ts";
import type { ManifestFact } from "./facts.ts";
import type { ManifestService } from "./service.ts";

export function serveManifest(manifest: ManifestService): OperationsOf<typeof manifestOperations, ManifestFact> {
  return {
    "manifest.get": { handle: () => manifest.view() },
    "manifest.update": {
      handle: (unit, { body }) =>
        body.display_name === undefined ? manifest.view() : manifest.rename(unit, body.display_name),
    },
    "manifest.reset": { handle: (unit, { body }) => manifest.reset(unit, body.confirm_installation_id) },
  };
}
