import type { ModuleEvents } from "../../kernel/module.ts";
import type { ManifestService } from "../manifest/index.ts";
import type { RemoteFact } from "./facts.ts";

/** The manifest lists the remote API among its capabilities while it is enabled. */
export function remoteEvents(manifest: Pick<ManifestService, "view">): ModuleEvents<RemoteFact> {
  const event = () => {
    const view = manifest.view();
    return { kind: "manifest", verb: "updated", id: view.installation_id, manifest: view } as const;
  };
  return { kind: "manifest", of: { "remote.switched": event, "remote.updated": null } };
}
