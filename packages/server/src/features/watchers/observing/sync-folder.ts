import { closeSync, fsyncSync, openSync } from "node:fs";

/** Returns when the names in the folder are on disk: a file that was synced itself may still be without its name. */
export function syncFolder(folder: string): void {
  const file = openSync(folder, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
