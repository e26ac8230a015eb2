import { userInfo } from "node:os";

/** The user that the daemon runs as. */
export interface OwnAccount {
  /** Null if the user has no name, as in some containers. */
  readonly name: string | null;
  readonly isRoot: boolean;
}

export function readOwnAccount(): OwnAccount {
  return { name: readName(), isRoot: process.getuid?.() === 0 };
}

function readName(): string | null {
  try {
    return userInfo().username;
  } catch {
    return null;
  }
}
