import type { Db } from "../../kernel/storage/database.ts";
import { serveImports } from "./operations.ts";
import { createImports, type ImportDeps } from "./service.ts";
import { createImportStore } from "./store.ts";

export interface ImportsParts extends Omit<ImportDeps, "store"> {
  readonly db: Db;
}

export function openImports({ db, ...parts }: ImportsParts) {
  const imports = createImports({ ...parts, store: createImportStore(db) });
  return { operations: serveImports(imports) };
}
