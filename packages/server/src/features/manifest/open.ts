import type { Db } from "../../kernel/storage/database.ts";
import type { Write } from "../../kernel/storage/write.ts";
import { manifestEvents } from "./events.ts";
import { serveManifest } from "./operations.ts";
import { createManifest } from "./service.ts";
import { createManifestStore } from "./store.ts";

export interface ManifestParts {
  readonly db: Db;
  readonly write: Write<never>;
  /** The daemon's version. */
  readonly version: string;
  readonly isRemoteEnabled: () => boolean;
}

/** Opens the module. The first start writes the installation's identity. */
export function openManifest({ db, write, version, isRemoteEnabled }: ManifestParts) {
  const service = createManifest(createManifestStore(db), { version, isRemoteEnabled });
  service.ensure(write);
  return {
    service,
    operations: serveManifest(service),
    events: manifestEvents(service),
    revisions: { manifest: () => service.revision() },
  };
}
