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

/** The same for as long as somebody has the file open. */
export function identityOf(path: string): string | null {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found === undefined ? null : `${found.dev}:${found.ino}`;
  } catch {
    // out of reach, as in a directory whose permissions were taken away
    return null;
  }
}
