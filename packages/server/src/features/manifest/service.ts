import { capabilityNames, type Manifest, remoteCapability } from "@belfry/contract";
import { AppError } from "../../kernel/errors/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { invariant } from "../../kernel/errors/invariant.ts";
import { createRevise } from "../../kernel/storage/revise.ts";
import type { Unit, Write } from "../../kernel/storage/write.ts";
import type { ManifestFact } from "./facts.ts";
import { platformFacts } from "./platform-facts.ts";
import type { ManifestStore } from "./store.ts";
import { manifestMembers, type ManifestRow } from "./table.ts";

/** A fixed default: the host name is not published unless the user sets it. */
const firstDisplayName = "Belfry";

export interface ManifestFacts {
  readonly version: string;
  readonly isRemoteEnabled: () => boolean;
}

export type ManifestService = ReturnType<typeof createManifest>;

export function createManifest(store: ManifestStore, { version, isRemoteEnabled }: ManifestFacts) {
  const capabilities = (): readonly string[] =>
    isRemoteEnabled() ? [...capabilityNames, remoteCapability].sort() : capabilityNames;
  const row = (): ManifestRow => {
    const found = store.find();
    invariant(found !== undefined, "the manifest row is written at the first start");
    return found;
  };
  const { revise } = createRevise<ManifestRow, ManifestFact>({
    members: manifestMembers,
    update: (_row, columns) => store.update(columns),
    fact: (_row, changed) => ({ name: "manifest.updated", changed }),
  });
  const change = (unit: Unit<ManifestFact>, columns: Partial<ManifestRow>): Manifest => {
    revise(unit, row(), columns);
    return view();
  };
  const view = (): Manifest => {
    const { installationId, displayName, revision } = row();
    return {
      installation_id: installationId,
      display_name: displayName,
      product_version: version,
      protocol_versions: { local: "v1", remote: null },
      operating_mode: "local_only",
      capabilities: [...capabilities()],
      platform: platformFacts(),
      revision,
    };
  };

  return {
    view,
    capabilities,
    revision: (): number => row().revision,
    ensure: (write: Write<never>): void => {
      if (store.find() !== undefined) return;
      write((unit) =>
        store.insert({ installationId: newId("ins"), displayName: firstDisplayName, updatedAt: unit.now, revision: 1 }),
      );
    },
    rename: (unit: Unit<ManifestFact>, displayName: string): Manifest => change(unit, { displayName }),
    reset: (unit: Unit<ManifestFact>, confirmedId: string): Manifest => {
      if (confirmedId !== row().installationId) {
        throw new AppError(
          "conflict",
          "confirm_installation_id is not the id of this installation: read the id from the manifest and try again",
          { field: "confirm_installation_id" },
        );
      }
      const manifest = change(unit, { installationId: newId("ins") });
      unit.record({ name: "manifest.reset" });
      return manifest;
    },
  };
}
