import { closeSync, fsyncSync, openSync } from "node:fs";

/**
 * Returns when the names in the folder are on disk: a file that was synced itself may still be without its name. Windows
 * opens no folder, and writes names with their files.
 */
export function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const file = openSync(folder, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
