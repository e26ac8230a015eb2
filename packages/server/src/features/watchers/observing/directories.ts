import type { Bytes } from "./name-hash.ts";
import { identityOf, pathOf, statTarget } from "./read-directory.ts";
import { type DirectoryWatch, watchDirectory, type WatchRefusal } from "../watch-files.ts";

/** Who wants to know of changes in a directory. */
export interface DirectoryUser {
  /** A name that may have changed; null if any may have. */
  readonly onHint: (name: Bytes | null) => void;
}

export type WatchDirectory = typeof watchDirectory;

export interface DirectoriesParts {
  readonly watchDirectory: WatchDirectory;
  readonly nowMs: () => number;
  /** Called for every notification, with as little work as possible: thousands may come in one turn of the event loop. */
  readonly onNotified: () => void;
}

/** More names than this are not worth remembering: the whole directory is looked at. */
const hintedNamesMax = 64;

/** One directory by its path without links, and its notifications, which all watchers share. */
export class Directory {
  readonly path: Bytes;
  readonly users = new Set<DirectoryUser>();
  /** The names of the notifications since the last look. Null if any name may have changed. */
  hints: Set<Bytes> | null = new Set();
  isHinted = false;
  /** Its hints wait: the scan may have passed their names already. */
  isBeingScanned = false;
  /** Monotonic time of the last hint. */
  hintedAtMs = 0;
  /** Which directory is being watched; it changes when another one takes the path. */
  identity: string | null = null;
  /** Why there are no notifications. */
  refusal: WatchRefusal | null = null;
  #watch: DirectoryWatch | null = null;

  constructor(path: Bytes) {
    this.path = path;
  }

  get isNotified(): boolean {
    return this.#watch !== null;
  }

  open(watchIt: (directory: Directory) => DirectoryWatch | WatchRefusal): void {
    this.close();
    const opened = watchIt(this);
    if (typeof opened === "string") this.refusal = opened;
    else {
      this.refusal = null;
      this.#watch = opened;
    }
  }

  close(): void {
    this.#watch?.close();
    this.#watch = null;
  }

  hint(name: Bytes | null, atMs: number): void {
    this.isHinted = true;
    this.hintedAtMs = atMs;
    if (name === null || this.hints === null || this.hints.size >= hintedNamesMax) this.hints = null;
    else this.hints.add(name);
  }

  takeHints(): ReadonlySet<Bytes> | null {
    const taken = this.hints;
    this.hints = new Set();
    this.isHinted = false;
    return taken;
  }
}

export type Directories = ReturnType<typeof createDirectories>;

export function createDirectories(parts: DirectoriesParts) {
  const byPath = new Map<Bytes, Directory>();
  const hinted = new Set<Directory>();

  /** Which directory has the path is read first: if another one takes it meanwhile, the next look finds that out. */
  const open = (directory: Directory, identity = identityAt(directory.path)): void => {
    directory.open(watchIt);
    directory.identity = identity;
  };

  const watchIt = (directory: Directory): DirectoryWatch | WatchRefusal =>
    parts.watchDirectory(pathOf(directory.path), {
      onHint: (name) => {
        directory.hint(name, parts.nowMs());
        hinted.add(directory);
        parts.onNotified();
      },
      onEnd: () => {
        directory.close();
        directory.identity = null;
        directory.hint(null, parts.nowMs());
        hinted.add(directory);
        parts.onNotified();
      },
    });

  return {
    /** Watches the directory for one more user. The first look at it must come after this. */
    use: (path: Bytes, user: DirectoryUser): Directory => {
      let directory = byPath.get(path);
      if (directory === undefined) {
        directory = new Directory(path);
        byPath.set(path, directory);
        open(directory);
      }
      directory.users.add(user);
      return directory;
    },
    leave: (directory: Directory, user: DirectoryUser): void => {
      directory.users.delete(user);
      if (directory.users.size > 0 || byPath.get(directory.path) !== directory) return;
      directory.close();
      byPath.delete(directory.path);
      hinted.delete(directory);
    },
    /** Watches whichever directory has the path now; true if that is another one than before. */
    verify: (directory: Directory): boolean => {
      const identity = identityAt(directory.path);
      const isOther = directory.identity !== identity;
      if (isOther || (!directory.isNotified && identity !== null)) open(directory, identity);
      return isOther;
    },
    isDirectory: (path: Bytes): boolean => {
      const found = statTarget(path);
      return typeof found !== "string" && found.isDirectory();
    },
    /** Those with hints, except those that are being scanned. */
    takeHinted: (): readonly Directory[] => {
      const taken = [...hinted].filter((directory) => !directory.isBeingScanned);
      for (const directory of taken) hinted.delete(directory);
      return taken;
    },
    isHinted: (): boolean => hinted.size > 0,
    all: (): IterableIterator<Directory> => byPath.values(),
    get count(): number {
      return byPath.size;
    },
    close: (): void => {
      for (const directory of byPath.values()) directory.close();
      byPath.clear();
    },
  };
}

function identityAt(path: Bytes): string | null {
  const found = statTarget(path);
  return typeof found === "string" ? null : identityOf(found);
}
