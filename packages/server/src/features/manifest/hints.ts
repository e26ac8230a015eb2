import type { Hints } from "../../kernel/module.ts";
import type { ManifestFact } from "./facts.ts";
import type { ManifestService } from "./service.ts";

export function manifestHints(service: ManifestService): Hints<ManifestFact> {
  const hint = () => {
    const manifest = service.view();
    return { kind: "manifest", verb: "updated", id: manifest.installation_id, manifest } as const;
  };
  return { kind: "manifest", of: { "manifest.updated": hint } };
}
