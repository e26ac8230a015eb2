import type { LoadedCommand } from "../command.ts";

/** One command: its word, its line of help, and the file to load when it is called. */
export interface CatalogueEntry {
  readonly word: string;
  readonly summary: string;
  readonly load: () => Promise<{ readonly command: LoadedCommand }>;
}

export interface CatalogueRoom {
  readonly word: string;
  readonly summary: string;
  readonly verbs: readonly CatalogueEntry[];
}
