import { eq } from "drizzle-orm";
import type { Db } from "../../kernel/storage/database.ts";
import { manifest, type ManifestRow } from "./table.ts";

const onlyRow = 1;

export type ManifestStore = ReturnType<typeof createManifestStore>;

export function createManifestStore(db: Db) {
  const row = db.select().from(manifest).where(eq(manifest.id, onlyRow)).prepare();
  return {
    find: (): ManifestRow | undefined => row.get(),
    insert: (first: Omit<ManifestRow, "id">): void =>
      void db
        .insert(manifest)
        .values({ ...first, id: onlyRow })
        .run(),
    update: (change: Partial<ManifestRow>): void =>
      void db.update(manifest).set(change).where(eq(manifest.id, onlyRow)).run(),
  };
}
