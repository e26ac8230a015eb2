import type { Manifest } from "@belfry/contract";
import { AppError } from "../../kernel/errors/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { invariant } from "../../kernel/errors/invariant.ts";
import type { Unit, Write } from "../../kernel/storage/write.ts";
import type { ManifestFact } from "./facts.ts";
import { platformFacts } from "./platform-facts.ts";
import type { ManifestStore } from "./store.ts";
import type { ManifestRow } from "./table.ts";

/** Fixed words: the host's name is nobody's business until a person says so. */
const firstDisplayName = "Belfry";

/** Names a client may ask for before it uses a newer part; sorted. */
const capabilities = [
  "audit",
  "chains",
  "events",
  "idempotency",
  "import",
  "notifications",
  "runs",
  "schedules",
  "tasks",
  "trigger_sets",
  "triggers",
];

export type ManifestRoom = ReturnType<typeof createManifest>;

export function createManifest(store: ManifestStore, productVersion: string) {
  const row = (): ManifestRow => {
    const found = store.find();
    invariant(found !== undefined, "the manifest row is written at the first start");
    return found;
  };
  const change = (unit: Unit<ManifestFact>, columns: Partial<ManifestRow>, changed: string): Manifest => {
    store.update({ ...columns, updatedAt: unit.now, revision: row().revision + 1 });
    unit.record({ name: "manifest.updated", changed: [changed] });
    return view();
  };
  const view = (): Manifest => {
    const { installationId, displayName, revision } = row();
    return {
      installation_id: installationId,
      display_name: displayName,
      product_version: productVersion,
      protocol_versions: { local: "v1", remote: null },
      operating_mode: "local_only",
      capabilities: [...capabilities],
      platform: platformFacts(),
      revision,
    };
  };

  return {
    view,
    revision: (): number => row().revision,
    ensure: (write: Write<never>): void => {
      if (store.find() !== undefined) return;
      write((unit) =>
        store.insert({ installationId: newId("ins"), displayName: firstDisplayName, updatedAt: unit.now, revision: 1 }),
      );
    },
    rename: (unit: Unit<ManifestFact>, displayName: string): Manifest =>
      displayName === row().displayName ? view() : change(unit, { displayName }, "display_name"),
    reset: (unit: Unit<ManifestFact>, confirmedId: string): Manifest => {
      if (confirmedId !== row().installationId) {
        throw new AppError(
          "conflict",
          "this is not the current installation identity: read the manifest and confirm again",
          { field: "confirm_installation_id" },
        );
      }
      return change(unit, { installationId: newId("ins") }, "installation_id");
    },
  };
}
