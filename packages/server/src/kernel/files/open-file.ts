import { statSync } from "node:fs";

export type FileState = "same" | "removed" | "replaced";

/** Remembers the file at a path, to find out later whether it is still the same one. */
export function rememberFile(path: string): () => FileState {
  const known = identityOf(path);
  return () => {
    const found = identityOf(path);
    if (found === null) return "removed";
    return found === known ? "same" : "replaced";
  };
}

/**
 * Identifies the file at a path, or returns null if there is none. Two files never have the same identity while both
 * exist.
 */
export function identityOf(path: string): string | null {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found === undefined ? null : `${found.dev}:${found.ino}`;
  } catch {
    // unreachable, for example in a directory without permissions
    return null;
  }
}
