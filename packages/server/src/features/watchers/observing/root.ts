import type { Directories, Directory, DirectoryUser } from "./directories.ts";
import type { Bytes } from "./name-hash.ts";
import { childPath } from "./read-directory.ts";
import { type ResolvedPath, resolvePath, type ResolveParts } from "./resolve-path.ts";

export interface RootParts extends ResolveParts {
  readonly directories: Directories;
  readonly path: Bytes;
  /** A name on the way to the path may have changed. */
  readonly onHint: () => void;
}

const triesMax = 3;

export type Root = ReturnType<typeof createRoot>;

/** Where a path leads, and a watch on every name that decides it: each link on the way, and the first part that is missing. */
export function createRoot(parts: RootParts) {
  const { directories, path } = parts;
  const guards = new Map<Bytes, { readonly directory: Directory; readonly user: DirectoryUser }>();

  let isDirect = false;

  return {
    /** Whether the path led through a link. */
    hasLinks: (): boolean => !isDirect,
    resolve: (): ResolvedPath => {
      for (let tries = 0; ; tries++) {
        const resolved = resolvePath(path, parts);
        isDirect = resolved.real === path;
        // a name may have changed before it was watched
        if (!guard(resolved) || tries === triesMax) return resolved;
      }
    },
    close: (): void => {
      for (const { directory, user } of guards.values()) directories.leave(directory, user);
      guards.clear();
    },
  };

  /** Whether a name is watched that was not watched before. */
  function guard({ waypoints }: ResolvedPath): boolean {
    let isChanged = false;
    const wanted = new Map(waypoints.map((waypoint) => [childPath(waypoint.directory, waypoint.name), waypoint]));
    for (const [key, { directory, user }] of guards) {
      if (wanted.has(key)) continue;
      directories.leave(directory, user);
      guards.delete(key);
    }
    for (const [key, waypoint] of wanted) {
      const present = guards.get(key);
      if (present !== undefined) {
        isChanged = directories.verify(present.directory) || isChanged;
        continue;
      }
      const user: DirectoryUser = {
        onHint: (name) => {
          if (name === null || name === waypoint.name) parts.onHint();
        },
      };
      const directory = directories.use(waypoint.directory, user);
      directories.verify(directory);
      guards.set(key, { directory, user });
      isChanged = true;
    }
    return isChanged;
  }
}
