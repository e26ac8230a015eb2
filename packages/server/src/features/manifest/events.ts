import type { ModuleEvents } from "../../kernel/module.ts";
import type { ManifestFact } from "./facts.ts";
import type { ManifestService } from "./service.ts";

export function manifestEvents(service: ManifestService): ModuleEvents<ManifestFact> {
  const event = () => {
    const manifest = service.view();
    return { kind: "manifest", verb: "updated", id: manifest.installation_id, manifest } as const;
  };
  return { kind: "manifest", of: { "manifest.updated": event, "manifest.reset": null } };
}
